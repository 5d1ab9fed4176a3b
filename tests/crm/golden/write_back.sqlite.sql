UPDATE "sales"."orders" SET "score" = :p1, "at ""x""" = :p2 WHERE "id" = :p3 AND "code" = :p4 AND ("score" IS NOT :p5 OR "at ""x""" IS NOT :p6)

SELECT COUNT(*) FROM "sales"."orders" WHERE "id" = :p1 AND "code" = :p2
