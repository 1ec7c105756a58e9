# Exact draws lie on the grid, have the variance (m+1)(m+2)/3 of the box, and are new every time.
dpnoise knorm sample 'box(1,1,2)' --epsilon 0.5 --count 20000 --grid 0.25 >one
dpnoise knorm sample 'box(1,1,2)' --epsilon 0.5 --count 20000 --grid 0.25 >two
cmp -s one two && echo repeated
python3 -c '
rows = [[float(x) for x in line.split()] for line in open("one")]
print(len(rows), all(x * 4 == int(x * 4) for row in rows for x in row))
for j, size in enumerate([1, 1, 2]):
    variance = 4 * 5 / 3 * (size / 0.5) ** 2 + 0.0625 / 12
    found = sum(row[j] ** 2 for row in rows) / len(rows)
    print(abs(found / variance - 1) < 6 * 3 / len(rows) ** 0.5)'
