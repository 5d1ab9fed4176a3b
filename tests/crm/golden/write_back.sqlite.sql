UPDATE "sales"."orders" SET "score" = :p1, "at ""x""" = :p2 WHERE "id" = :p3 AND "code" = :p4 AND ("score" IS NOT :p5 OR "at ""x""" IS NOT :p6)

SELECT COUNT(*), COUNT(CASE WHEN "score" IS NOT :p1 OR "at ""x""" IS NOT :p2 THEN 1 END) FROM "sales"."orders" WHERE "id" = :p3 AND "code" = :p4
