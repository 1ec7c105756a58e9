# The page is whole, loads nothing, and escapes whatever it quotes.
printf 'region,"in<come>"\nnorth,1\n"<script>alert(1)</script>",2\n' >people.csv
dpnoise release people.csv --count --mean '"in<come>":0:9' --by region --levels 'region=north,<script>alert(1)</script>,"it'"'"'s ""&"' \
    --where 'region!=<img src=x>' --epsilon 1 --dataset 'a<b>&c' --report page.html --title '<b>T</b>' --label 'in<come>=<i>I</i>' >/dev/null
/usr/bin/python3 - <<'END'
import html.parser
import os
import re

text = open("page.html", encoding="utf-8").read()


class Page(html.parser.HTMLParser):
    empty, stack, tags, words = {"meta", "line", "circle", "rect", "br"}, [], [], ""

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag not in self.empty:
            self.stack.append(tag)
        assert not any(name in ("src", "href", "onload", "onclick") for name, _ in attributes), attributes

    def handle_startendtag(self, tag, attributes):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.stack.pop() == tag, (tag, self.getpos())

    def handle_data(self, data):
        self.words += data


page = Page()
page.feed(text)
assert not page.stack and "script" not in page.tags and "img" not in page.tags
for words in ["<script>alert(1)</script>", "it's \"&", "<b>T</b>", "Mean of <i>I</i>", "in<come>", "a<b>&c", "<img src=x>", "(1, 0)-differentially private",
              "adding or removing one row", "Data sheet", "Budget"]:
    assert words in page.words, words
assert page.tags.count("svg") >= 3 and page.tags.count("circle") == 6
style = open(os.environ["CASES"] + "/../../cli/page/page.css", encoding="utf-8").read()
assert re.search(r"<style>\n(.*?)</style>", text, re.S).group(1) == style
assert not re.search(r"https?://|url\(|@import", text)
END
# Labels are those of columns of the question, and belong to a page; what is refused costs nothing.
for options in '--title T' '--label region=R' '--report no.html --label R' '--report no.html --label nowhere=R' '--report no.html --title='; do
    dpnoise release people.csv --count --by region --levels region=north --epsilon 1 --ledger other.db $options || echo $?
done
# A report that cannot be written costs nothing.
rm dpnoise-ledger.db*
dpnoise release people.csv --count --epsilon 1 --report nowhere/page.html || echo $?
ls
