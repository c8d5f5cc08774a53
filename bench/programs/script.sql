-- Tables, indexes, joins, aggregates, updates, text functions and a recursive query.
CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT, price REAL, kind INTEGER);
CREATE TABLE sale(id INTEGER PRIMARY KEY, item INTEGER REFERENCES item(id), day INTEGER, amount INTEGER);
BEGIN;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
INSERT INTO item SELECT i, 'item ' || ((i * 7919) % 2003), (i * 31 % 997) / 10.0, i % 17 FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
INSERT INTO sale SELECT i, (i * 613) % 2000 + 1, i % 365, i * i % 29 FROM n;
COMMIT;
CREATE INDEX sale_item ON sale(item);
CREATE INDEX item_name ON item(name);
SELECT kind, count(*), round(sum(price * amount), 2) FROM item JOIN sale ON item.id = sale.item GROUP BY kind ORDER BY kind;
SELECT name, max(price) FROM item WHERE name LIKE 'item 1%7' GROUP BY name ORDER BY 2 DESC, 1 LIMIT 10;
UPDATE item SET price = price * 1.1 WHERE kind IN (SELECT kind FROM item GROUP BY kind HAVING avg(price) > 49);
SELECT round(avg(price), 6), min(name), max(name) FROM item;
DELETE FROM sale WHERE day BETWEEN 100 AND 150;
SELECT day / 30 AS month, sum(amount), count(DISTINCT item) FROM sale GROUP BY month ORDER BY month;
SELECT substr(upper(name), 1, 6), group_concat(id) FROM item WHERE id < 40 GROUP BY 1 ORDER BY 1;
WITH RECURSIVE fib(a, b, n) AS (SELECT 0, 1, 0 UNION ALL SELECT b, a + b, n + 1 FROM fib WHERE n < 60)
SELECT n, a FROM fib WHERE n % 10 = 0;
PRAGMA integrity_check;
