# Bytes that are no UTF-8, quotes, and control characters: valid JSON, and nothing that the terminal would obey.
for family in '\377\376' '\303' '\355\240\200' '\300\257' 'a"b\\' 'a\033[31mb' 'a\001\177b' '\360\237\230\200'; do
    text=$(printf "$family")
    if dpnoise law "$text" --json >object 2>sentence; then exit 1; fi
    /usr/bin/python3 -c '
import json
sentence = json.load(open("object", encoding="utf-8"))["error"]
print(ascii(sentence.split(";")[0]))'
    LC_ALL=C tr -d '\012\040-\176\200-\377' <sentence | wc -c
done
