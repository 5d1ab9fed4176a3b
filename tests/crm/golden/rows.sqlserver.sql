INSERT INTO [survey_t] ([id], [position], [truth], [amount], [words], [name], [at], [content]) VALUES (:p1, :p2, :p3, :p4, :p5, :p6, :p7, :p8)

MERGE INTO [survey_t] WITH (HOLDLOCK) AS t USING (VALUES (:p1, :p2, :p3, :p4, :p5, :p6, :p7, :p8)) AS s ([id], [position], [truth], [amount], [words], [name], [at], [content]) ON t.[id] = s.[id] AND t.[position] = s.[position] WHEN MATCHED THEN UPDATE SET [truth] = s.[truth], [amount] = s.[amount], [words] = s.[words], [name] = s.[name], [at] = s.[at], [content] = s.[content] WHEN NOT MATCHED THEN INSERT ([id], [position], [truth], [amount], [words], [name], [at], [content]) VALUES (s.[id], s.[position], s.[truth], s.[amount], s.[words], s.[name], s.[at], s.[content]);

DELETE … WHERE [id] IN (:p1, :p2, :p3)

SELECT … ORDER BY a OFFSET 0 ROWS FETCH NEXT 5 ROWS ONLY
