UPDATE [sales].[orders] SET [score] = :p1, [at "x"] = :p2 WHERE [id] = :p3 AND [code] = :p4 AND (EXISTS (SELECT [score] EXCEPT SELECT :p5) OR EXISTS (SELECT [at "x"] EXCEPT SELECT :p6))

SELECT COUNT(*), COUNT(CASE WHEN EXISTS (SELECT [score] EXCEPT SELECT :p1) OR EXISTS (SELECT [at "x"] EXCEPT SELECT :p2) THEN 1 END) FROM [sales].[orders] WHERE [id] = :p3 AND [code] = :p4
