DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_invitation') AND minor_id = 0 AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'one row for each invitation: what the views for reports are made of', N'SCHEMA', @schema, N'TABLE', N'survey_invitation'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'one row for each invitation: what the views for reports are made of', N'SCHEMA', @schema, N'TABLE', N'survey_invitation';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_invitation') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_invitation'), N'customer_id', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'the service''s number', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'customer_id'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'the service''s number', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'customer_id';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_invitation') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_invitation'), N'push', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'our transaction; NULL: the customer is not from here', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'push'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'our transaction; NULL: the customer is not from here', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'push';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_invitation') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_invitation'), N'key', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'our transaction; NULL: the customer is not from here', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'key'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'our transaction; NULL: the customer is not from here', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'key';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_invitation') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_invitation'), N'stage', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'how far the invitation has come, and since when', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'stage'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'how far the invitation has come, and since when', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'stage';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_invitation') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_invitation'), N'stage_at', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'how far the invitation has come, and since when', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'stage_at'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'how far the invitation has come, and since when', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'stage_at';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_invitation') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_invitation'), N'transaction_date', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'in UTC', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'transaction_date'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'in UTC', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'transaction_date';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_invitation') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_invitation'), N'invited_at', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'in UTC', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'invited_at'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'in UTC', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'invited_at';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_invitation') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_invitation'), N'opened_at', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'in UTC', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'opened_at'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'in UTC', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'opened_at';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_invitation') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_invitation'), N'begun_at', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'in UTC', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'begun_at'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'in UTC', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'begun_at';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_invitation') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_invitation'), N'finished_at', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'in UTC', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'finished_at'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'in UTC', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'finished_at';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_invitation') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_invitation'), N'closed_at', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'in UTC', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'closed_at'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'in UTC', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'closed_at';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_invitation') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_invitation'), N'bounced_at', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'in UTC', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'bounced_at'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'in UTC', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'bounced_at';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_invitation') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_invitation'), N'opted_out_at', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'in UTC', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'opted_out_at'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'in UTC', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'opted_out_at';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_invitation') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_invitation'), N'last_activity', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'in UTC', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'last_activity'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'in UTC', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'last_activity';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_invitation') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_invitation'), N'seconds_to_answer', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'from the invitation to the end', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'seconds_to_answer'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'from the invitation to the end', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'seconds_to_answer';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_invitation') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_invitation'), N'mail_domain', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'the part of the address behind the @', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'mail_domain'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'the part of the address behind the @', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'mail_domain';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_invitation') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_invitation'), N'opened', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'1 where it came that far, otherwise 0', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'opened'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'1 where it came that far, otherwise 0', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'opened';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_invitation') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_invitation'), N'begun', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'1 where it came that far, otherwise 0', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'begun'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'1 where it came that far, otherwise 0', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'begun';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_invitation') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_invitation'), N'finished', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'1 where it came that far, otherwise 0', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'finished'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'1 where it came that far, otherwise 0', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'finished';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_invitation') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_invitation'), N'closed', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'1 where it came that far, otherwise 0', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'closed'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'1 where it came that far, otherwise 0', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'closed';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_invitation') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_invitation'), N'bounced', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'1 where it came that far, otherwise 0', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'bounced'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'1 where it came that far, otherwise 0', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'bounced';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_invitation') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_invitation'), N'opted_out', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'1 where it came that far, otherwise 0', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'opted_out'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'1 where it came that far, otherwise 0', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'opted_out';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_invitation') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_invitation'), N'test', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'1 or 0', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'test'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'1 or 0', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'test';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_invitation') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_invitation'), N'second_feedback', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'1 or 0', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'second_feedback'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'1 or 0', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'second_feedback';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_invitation') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_invitation'), N'contact_requested', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'1 or 0', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'contact_requested'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'1 or 0', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'contact_requested';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_invitation') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_invitation'), N'seen_at', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'since when the bridge knows it so, in UTC; NULL: `survey_customer_history` says it', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'seen_at'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'since when the bridge knows it so, in UTC; NULL: `survey_customer_history` says it', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'seen_at';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_invitation') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_invitation'), N'segment_1', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'the values of the configured segments, in their order', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'segment_1'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'the values of the configured segments, in their order', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'segment_1';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_invitation') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_invitation'), N'segment_2', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'the values of the configured segments, in their order', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'segment_2'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'the values of the configured segments, in their order', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'segment_2';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_invitation') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_invitation'), N'segment_3', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'the values of the configured segments, in their order', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'segment_3'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'the values of the configured segments, in their order', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'segment_3';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_invitation') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_invitation'), N'segment_4', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'the values of the configured segments, in their order', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'segment_4'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'the values of the configured segments, in their order', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'segment_4';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_invitation') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_invitation'), N'segment_5', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'the values of the configured segments, in their order', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'segment_5'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'the values of the configured segments, in their order', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'segment_5';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_invitation') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_invitation'), N'segment_6', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'the values of the configured segments, in their order', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'segment_6'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'the values of the configured segments, in their order', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'segment_6';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_invitation') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_invitation'), N'segment_7', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'the values of the configured segments, in their order', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'segment_7'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'the values of the configured segments, in their order', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'segment_7';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_invitation') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_invitation'), N'segment_8', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'the values of the configured segments, in their order', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'segment_8'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'the values of the configured segments, in their order', N'SCHEMA', @schema, N'TABLE', N'survey_invitation', N'COLUMN', N'segment_8';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_customer_history') AND minor_id = 0 AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'one row for each change of an invitation that has changed: how it was since then', N'SCHEMA', @schema, N'TABLE', N'survey_customer_history'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'one row for each change of an invitation that has changed: how it was since then', N'SCHEMA', @schema, N'TABLE', N'survey_customer_history';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_customer_history') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_customer_history'), N'customer_id', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'the service''s number', N'SCHEMA', @schema, N'TABLE', N'survey_customer_history', N'COLUMN', N'customer_id'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'the service''s number', N'SCHEMA', @schema, N'TABLE', N'survey_customer_history', N'COLUMN', N'customer_id';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_customer_history') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_customer_history'), N'version', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'counts a customer''s rows from 1', N'SCHEMA', @schema, N'TABLE', N'survey_customer_history', N'COLUMN', N'version'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'counts a customer''s rows from 1', N'SCHEMA', @schema, N'TABLE', N'survey_customer_history', N'COLUMN', N'version';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_customer_history') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_customer_history'), N'seen_at', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'when the bridge saw it, in UTC', N'SCHEMA', @schema, N'TABLE', N'survey_customer_history', N'COLUMN', N'seen_at'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'when the bridge saw it, in UTC', N'SCHEMA', @schema, N'TABLE', N'survey_customer_history', N'COLUMN', N'seen_at';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_customer_history') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_customer_history'), N'stage', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'how it was', N'SCHEMA', @schema, N'TABLE', N'survey_customer_history', N'COLUMN', N'stage'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'how it was', N'SCHEMA', @schema, N'TABLE', N'survey_customer_history', N'COLUMN', N'stage';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_customer_history') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_customer_history'), N'bounced', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'how it was', N'SCHEMA', @schema, N'TABLE', N'survey_customer_history', N'COLUMN', N'bounced'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'how it was', N'SCHEMA', @schema, N'TABLE', N'survey_customer_history', N'COLUMN', N'bounced';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_customer_history') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_customer_history'), N'opted_out', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'how it was', N'SCHEMA', @schema, N'TABLE', N'survey_customer_history', N'COLUMN', N'opted_out'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'how it was', N'SCHEMA', @schema, N'TABLE', N'survey_customer_history', N'COLUMN', N'opted_out';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_bounce') AND minor_id = 0 AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'one row for each bounced e-mail', N'SCHEMA', @schema, N'TABLE', N'survey_bounce'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'one row for each bounced e-mail', N'SCHEMA', @schema, N'TABLE', N'survey_bounce';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_bounce') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_bounce'), N'bouncer_id', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'made of its content', N'SCHEMA', @schema, N'TABLE', N'survey_bounce', N'COLUMN', N'bouncer_id'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'made of its content', N'SCHEMA', @schema, N'TABLE', N'survey_bounce', N'COLUMN', N'bouncer_id';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_bounce') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_bounce'), N'push', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'our transaction; NULL: not known', N'SCHEMA', @schema, N'TABLE', N'survey_bounce', N'COLUMN', N'push'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'our transaction; NULL: not known', N'SCHEMA', @schema, N'TABLE', N'survey_bounce', N'COLUMN', N'push';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_bounce') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_bounce'), N'key', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'our transaction; NULL: not known', N'SCHEMA', @schema, N'TABLE', N'survey_bounce', N'COLUMN', N'key'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'our transaction; NULL: not known', N'SCHEMA', @schema, N'TABLE', N'survey_bounce', N'COLUMN', N'key';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_bounce') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_bounce'), N'kind', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'`hard` or `soft`', N'SCHEMA', @schema, N'TABLE', N'survey_bounce', N'COLUMN', N'kind'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'`hard` or `soft`', N'SCHEMA', @schema, N'TABLE', N'survey_bounce', N'COLUMN', N'kind';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_bounce') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_bounce'), N'mail_domain', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'the part of the address behind the @', N'SCHEMA', @schema, N'TABLE', N'survey_bounce', N'COLUMN', N'mail_domain'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'the part of the address behind the @', N'SCHEMA', @schema, N'TABLE', N'survey_bounce', N'COLUMN', N'mail_domain';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_bounce') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_bounce'), N'bounced_at', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'in UTC', N'SCHEMA', @schema, N'TABLE', N'survey_bounce', N'COLUMN', N'bounced_at'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'in UTC', N'SCHEMA', @schema, N'TABLE', N'survey_bounce', N'COLUMN', N'bounced_at';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_bounce') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_bounce'), N'transaction_date', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'in UTC', N'SCHEMA', @schema, N'TABLE', N'survey_bounce', N'COLUMN', N'transaction_date'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'in UTC', N'SCHEMA', @schema, N'TABLE', N'survey_bounce', N'COLUMN', N'transaction_date';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_bounce') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_bounce'), N'test', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'1 or 0', N'SCHEMA', @schema, N'TABLE', N'survey_bounce', N'COLUMN', N'test'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'1 or 0', N'SCHEMA', @schema, N'TABLE', N'survey_bounce', N'COLUMN', N'test';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_rating_match') AND minor_id = 0 AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'one row for each rating: whose it is', N'SCHEMA', @schema, N'TABLE', N'survey_rating_match'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'one row for each rating: whose it is', N'SCHEMA', @schema, N'TABLE', N'survey_rating_match';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_rating_match') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_rating_match'), N'rating_id', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'the service''s number', N'SCHEMA', @schema, N'TABLE', N'survey_rating_match', N'COLUMN', N'rating_id'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'the service''s number', N'SCHEMA', @schema, N'TABLE', N'survey_rating_match', N'COLUMN', N'rating_id';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_rating_match') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_rating_match'), N'push', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'our transaction; NULL: not known', N'SCHEMA', @schema, N'TABLE', N'survey_rating_match', N'COLUMN', N'push'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'our transaction; NULL: not known', N'SCHEMA', @schema, N'TABLE', N'survey_rating_match', N'COLUMN', N'push';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_rating_match') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_rating_match'), N'key', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'our transaction; NULL: not known', N'SCHEMA', @schema, N'TABLE', N'survey_rating_match', N'COLUMN', N'key'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'our transaction; NULL: not known', N'SCHEMA', @schema, N'TABLE', N'survey_rating_match', N'COLUMN', N'key';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_question') AND minor_id = 0 AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'one row for each question that somebody has answered', N'SCHEMA', @schema, N'TABLE', N'survey_question'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'one row for each question that somebody has answered', N'SCHEMA', @schema, N'TABLE', N'survey_question';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_question') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_question'), N'id', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'its `BaseQuestionId`', N'SCHEMA', @schema, N'TABLE', N'survey_question', N'COLUMN', N'id'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'its `BaseQuestionId`', N'SCHEMA', @schema, N'TABLE', N'survey_question', N'COLUMN', N'id';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_question') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_question'), N'words', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as the customers read it', N'SCHEMA', @schema, N'TABLE', N'survey_question', N'COLUMN', N'words'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as the customers read it', N'SCHEMA', @schema, N'TABLE', N'survey_question', N'COLUMN', N'words';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_question') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_question'), N'kind', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'`scale`, or `text` for all others: texts, files and choices', N'SCHEMA', @schema, N'TABLE', N'survey_question', N'COLUMN', N'kind'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'`scale`, or `text` for all others: texts, files and choices', N'SCHEMA', @schema, N'TABLE', N'survey_question', N'COLUMN', N'kind';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_question') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_question'), N'low', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'the lowest and the highest value that was answered', N'SCHEMA', @schema, N'TABLE', N'survey_question', N'COLUMN', N'low'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'the lowest and the highest value that was answered', N'SCHEMA', @schema, N'TABLE', N'survey_question', N'COLUMN', N'low';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_question') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_question'), N'high', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'the lowest and the highest value that was answered', N'SCHEMA', @schema, N'TABLE', N'survey_question', N'COLUMN', N'high'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'the lowest and the highest value that was answered', N'SCHEMA', @schema, N'TABLE', N'survey_question', N'COLUMN', N'high';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_question') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_question'), N'first_seen', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'when it was answered first and last; the last time to the day', N'SCHEMA', @schema, N'TABLE', N'survey_question', N'COLUMN', N'first_seen'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'when it was answered first and last; the last time to the day', N'SCHEMA', @schema, N'TABLE', N'survey_question', N'COLUMN', N'first_seen';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_question') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_question'), N'last_seen', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'when it was answered first and last; the last time to the day', N'SCHEMA', @schema, N'TABLE', N'survey_question', N'COLUMN', N'last_seen'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'when it was answered first and last; the last time to the day', N'SCHEMA', @schema, N'TABLE', N'survey_question', N'COLUMN', N'last_seen';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_column') AND minor_id = 0 AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'one row for each column of survey_report_customer that is made of a data column or a question', N'SCHEMA', @schema, N'TABLE', N'survey_report_column'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'one row for each column of survey_report_customer that is made of a data column or a question', N'SCHEMA', @schema, N'TABLE', N'survey_report_column';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_column') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_column'), N'position', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'the order of the columns', N'SCHEMA', @schema, N'TABLE', N'survey_report_column', N'COLUMN', N'position'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'the order of the columns', N'SCHEMA', @schema, N'TABLE', N'survey_report_column', N'COLUMN', N'position';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_column') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_column'), N'name', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'of the column', N'SCHEMA', @schema, N'TABLE', N'survey_report_column', N'COLUMN', N'name'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'of the column', N'SCHEMA', @schema, N'TABLE', N'survey_report_column', N'COLUMN', N'name';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_column') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_column'), N'kind', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'`data`, `score` or `text`', N'SCHEMA', @schema, N'TABLE', N'survey_report_column', N'COLUMN', N'kind'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'`data`, `score` or `text`', N'SCHEMA', @schema, N'TABLE', N'survey_report_column', N'COLUMN', N'kind';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_column') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_column'), N'source', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'the number of the data column or question', N'SCHEMA', @schema, N'TABLE', N'survey_report_column', N'COLUMN', N'source'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'the number of the data column or question', N'SCHEMA', @schema, N'TABLE', N'survey_report_column', N'COLUMN', N'source';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_column') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_column'), N'occurrence', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'which time, of a question that a page repeats', N'SCHEMA', @schema, N'TABLE', N'survey_report_column', N'COLUMN', N'occurrence'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'which time, of a question that a page repeats', N'SCHEMA', @schema, N'TABLE', N'survey_report_column', N'COLUMN', N'occurrence';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_state') AND minor_id = 0 AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'how far the tables and views for reports are up to date', N'SCHEMA', @schema, N'TABLE', N'survey_report_state'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'how far the tables and views for reports are up to date', N'SCHEMA', @schema, N'TABLE', N'survey_report_state';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_state') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_state'), N'name', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'what is known, by name', N'SCHEMA', @schema, N'TABLE', N'survey_report_state', N'COLUMN', N'name'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'what is known, by name', N'SCHEMA', @schema, N'TABLE', N'survey_report_state', N'COLUMN', N'name';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_state') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_state'), N'value', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'what is known, by name', N'SCHEMA', @schema, N'TABLE', N'survey_report_state', N'COLUMN', N'value'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'what is known, by name', N'SCHEMA', @schema, N'TABLE', N'survey_report_state', N'COLUMN', N'value';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_customer') AND minor_id = 0 AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'one row for each invitation; no address', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'one row for each invitation; no address', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_customer') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_customer'), N'customer_id', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'the service''s number', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'customer_id'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'the service''s number', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'customer_id';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_customer') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_customer'), N'push', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'our transaction; NULL in `key`: the customer is not from here', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'push'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'our transaction; NULL in `key`: the customer is not from here', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'push';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_customer') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_customer'), N'key', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'our transaction; NULL in `key`: the customer is not from here', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'key'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'our transaction; NULL in `key`: the customer is not from here', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'key';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_customer') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_customer'), N'stage', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'`sent`, `invited`, `opened`, `begun`, `finished`, `closed` (without an answer), `bounced` or `opted out`, and since when', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'stage'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'`sent`, `invited`, `opened`, `begun`, `finished`, `closed` (without an answer), `bounced` or `opted out`, and since when', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'stage';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_customer') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_customer'), N'stage_at', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'`sent`, `invited`, `opened`, `begun`, `finished`, `closed` (without an answer), `bounced` or `opted out`, and since when', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'stage_at'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'`sent`, `invited`, `opened`, `begun`, `finished`, `closed` (without an answer), `bounced` or `opted out`, and since when', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'stage_at';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_customer') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_customer'), N'status_code', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as the service says it', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'status_code'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as the service says it', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'status_code';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_customer') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_customer'), N'status_name', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as the service says it', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'status_name'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as the service says it', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'status_name';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_customer') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_customer'), N'transaction_date', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'in UTC', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'transaction_date'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'in UTC', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'transaction_date';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_customer') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_customer'), N'invited_at', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'in UTC', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'invited_at'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'in UTC', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'invited_at';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_customer') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_customer'), N'opened_at', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'in UTC', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'opened_at'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'in UTC', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'opened_at';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_customer') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_customer'), N'begun_at', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'in UTC', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'begun_at'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'in UTC', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'begun_at';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_customer') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_customer'), N'finished_at', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'in UTC', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'finished_at'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'in UTC', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'finished_at';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_customer') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_customer'), N'closed_at', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'in UTC', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'closed_at'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'in UTC', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'closed_at';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_customer') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_customer'), N'bounced_at', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'in UTC', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'bounced_at'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'in UTC', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'bounced_at';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_customer') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_customer'), N'opted_out_at', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'in UTC', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'opted_out_at'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'in UTC', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'opted_out_at';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_customer') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_customer'), N'seconds_to_answer', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'from the invitation to the end', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'seconds_to_answer'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'from the invitation to the end', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'seconds_to_answer';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_customer') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_customer'), N'completion_time_in_seconds', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as the service says it', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'completion_time_in_seconds'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as the service says it', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'completion_time_in_seconds';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_customer') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_customer'), N'language', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as the service says it', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'language'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as the service says it', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'language';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_customer') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_customer'), N'mail_domain', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'the part of the address behind the @', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'mail_domain'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'the part of the address behind the @', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'mail_domain';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_customer') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_customer'), N'test', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'1 or 0', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'test'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'1 or 0', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'test';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_customer') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_customer'), N'second_feedback', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'1 or 0', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'second_feedback'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'1 or 0', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'second_feedback';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_customer') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_customer'), N'contact_requested', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'1 or 0', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'contact_requested'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'1 or 0', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'contact_requested';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_customer') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_customer'), N'original_customer_id', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'of second feedback: the first customer', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'original_customer_id'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'of second feedback: the first customer', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'original_customer_id';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_customer') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_customer'), N'form_status_name', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as the service says it; the names are learned', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'form_status_name'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as the service says it; the names are learned', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'form_status_name';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_customer') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_customer'), N'review_status_name', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as the service says it; the names are learned', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'review_status_name'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as the service says it; the names are learned', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'review_status_name';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_customer') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_customer'), N'review_approved_date', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as the service says it; the names are learned', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'review_approved_date'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as the service says it; the names are learned', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'review_approved_date';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_customer') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_customer'), N'rating_id', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'the published rating, if there is one', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'rating_id'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'the published rating, if there is one', N'SCHEMA', @schema, N'VIEW', N'survey_report_customer', N'COLUMN', N'rating_id';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_funnel') AND minor_id = 0 AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'one row for each push, period and segment: how many transactions came how far', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'one row for each push, period and segment: how many transactions came how far', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_funnel') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_funnel'), N'push', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'the period is `week` or `month`; `starts` is its first day', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'push'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'the period is `week` or `month`; `starts` is its first day', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'push';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_funnel') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_funnel'), N'period', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'the period is `week` or `month`; `starts` is its first day', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'period'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'the period is `week` or `month`; `starts` is its first day', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'period';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_funnel') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_funnel'), N'starts', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'the period is `week` or `month`; `starts` is its first day', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'starts'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'the period is `week` or `month`; `starts` is its first day', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'starts';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_funnel') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_funnel'), N'segment', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'`all` and `all`, or the name of a segment and a value of it (empty where there is none)', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'segment'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'`all` and `all`, or the name of a segment and a value of it (empty where there is none)', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'segment';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_funnel') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_funnel'), N'segment_value', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'`all` and `all`, or the name of a segment and a value of it (empty where there is none)', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'segment_value'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'`all` and `all`, or the name of a segment and a value of it (empty where there is none)', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'segment_value';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_funnel') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_funnel'), N'transactions', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'all that were found', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'transactions'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'all that were found', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'transactions';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_funnel') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_funnel'), N'suppressed', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'not sent, or not known to be sent', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'suppressed'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'not sent, or not known to be sent', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'suppressed';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_funnel') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_funnel'), N'quarantined', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'not sent, or not known to be sent', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'quarantined'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'not sent, or not known to be sent', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'quarantined';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_funnel') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_funnel'), N'waiting', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'not sent, or not known to be sent', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'waiting'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'not sent, or not known to be sent', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'waiting';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_funnel') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_funnel'), N'in_doubt', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'not sent, or not known to be sent', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'in_doubt'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'not sent, or not known to be sent', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'in_doubt';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_funnel') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_funnel'), N'sent', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'how many came that far', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'sent'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'how many came that far', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'sent';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_funnel') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_funnel'), N'invited', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'how many came that far', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'invited'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'how many came that far', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'invited';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_funnel') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_funnel'), N'opened', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'how many came that far', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'opened'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'how many came that far', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'opened';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_funnel') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_funnel'), N'begun', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'how many came that far', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'begun'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'how many came that far', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'begun';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_funnel') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_funnel'), N'finished', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'how many came that far', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'finished'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'how many came that far', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'finished';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_funnel') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_funnel'), N'bounced', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'how many came that far', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'bounced'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'how many came that far', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'bounced';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_funnel') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_funnel'), N'opted_out', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'how many came that far', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'opted_out'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'how many came that far', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'opted_out';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_funnel') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_funnel'), N'closed', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'how many can no longer answer, those who have answered or bounced among them', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'closed'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'how many can no longer answer, those who have answered or bounced among them', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'closed';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_funnel') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_funnel'), N'due', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'the response rate is `due_finished / due`', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'due'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'the response rate is `due_finished / due`', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'due';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_funnel') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_funnel'), N'due_finished', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'the response rate is `due_finished / due`', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'due_finished'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'the response rate is `due_finished / due`', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'due_finished';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_funnel') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_funnel'), N'never_invited', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'of those sent: without an invitation, and closed, opted out, bounced or finished', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'never_invited'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'of those sent: without an invitation, and closed, opted out, bounced or finished', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'never_invited';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_funnel') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_funnel'), N'unlisted', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'of those sent: no customer is stored; not pulled yet, or removed', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'unlisted'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'of those sent: no customer is stored; not pulled yet, or removed', N'SCHEMA', @schema, N'VIEW', N'survey_report_funnel', N'COLUMN', N'unlisted';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_score') AND minor_id = 0 AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'one row for each push, question, period and segment', N'SCHEMA', @schema, N'VIEW', N'survey_report_score'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'one row for each push, question, period and segment', N'SCHEMA', @schema, N'VIEW', N'survey_report_score';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_score') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_score'), N'push', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as in `survey_report_funnel`; `question` is the label', N'SCHEMA', @schema, N'VIEW', N'survey_report_score', N'COLUMN', N'push'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as in `survey_report_funnel`; `question` is the label', N'SCHEMA', @schema, N'VIEW', N'survey_report_score', N'COLUMN', N'push';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_score') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_score'), N'question', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as in `survey_report_funnel`; `question` is the label', N'SCHEMA', @schema, N'VIEW', N'survey_report_score', N'COLUMN', N'question'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as in `survey_report_funnel`; `question` is the label', N'SCHEMA', @schema, N'VIEW', N'survey_report_score', N'COLUMN', N'question';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_score') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_score'), N'kind', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as in `survey_report_funnel`; `question` is the label', N'SCHEMA', @schema, N'VIEW', N'survey_report_score', N'COLUMN', N'kind'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as in `survey_report_funnel`; `question` is the label', N'SCHEMA', @schema, N'VIEW', N'survey_report_score', N'COLUMN', N'kind';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_score') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_score'), N'period', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as in `survey_report_funnel`; `question` is the label', N'SCHEMA', @schema, N'VIEW', N'survey_report_score', N'COLUMN', N'period'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as in `survey_report_funnel`; `question` is the label', N'SCHEMA', @schema, N'VIEW', N'survey_report_score', N'COLUMN', N'period';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_score') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_score'), N'starts', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as in `survey_report_funnel`; `question` is the label', N'SCHEMA', @schema, N'VIEW', N'survey_report_score', N'COLUMN', N'starts'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as in `survey_report_funnel`; `question` is the label', N'SCHEMA', @schema, N'VIEW', N'survey_report_score', N'COLUMN', N'starts';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_score') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_score'), N'segment', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as in `survey_report_funnel`; `question` is the label', N'SCHEMA', @schema, N'VIEW', N'survey_report_score', N'COLUMN', N'segment'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as in `survey_report_funnel`; `question` is the label', N'SCHEMA', @schema, N'VIEW', N'survey_report_score', N'COLUMN', N'segment';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_score') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_score'), N'segment_value', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as in `survey_report_funnel`; `question` is the label', N'SCHEMA', @schema, N'VIEW', N'survey_report_score', N'COLUMN', N'segment_value'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as in `survey_report_funnel`; `question` is the label', N'SCHEMA', @schema, N'VIEW', N'survey_report_score', N'COLUMN', N'segment_value';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_score') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_score'), N'n', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'the number of answers', N'SCHEMA', @schema, N'VIEW', N'survey_report_score', N'COLUMN', N'n'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'the number of answers', N'SCHEMA', @schema, N'VIEW', N'survey_report_score', N'COLUMN', N'n';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_score') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_score'), N'promoters', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'of kind `nps`', N'SCHEMA', @schema, N'VIEW', N'survey_report_score', N'COLUMN', N'promoters'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'of kind `nps`', N'SCHEMA', @schema, N'VIEW', N'survey_report_score', N'COLUMN', N'promoters';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_score') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_score'), N'passives', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'of kind `nps`', N'SCHEMA', @schema, N'VIEW', N'survey_report_score', N'COLUMN', N'passives'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'of kind `nps`', N'SCHEMA', @schema, N'VIEW', N'survey_report_score', N'COLUMN', N'passives';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_score') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_score'), N'detractors', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'of kind `nps`', N'SCHEMA', @schema, N'VIEW', N'survey_report_score', N'COLUMN', N'detractors'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'of kind `nps`', N'SCHEMA', @schema, N'VIEW', N'survey_report_score', N'COLUMN', N'detractors';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_score') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_score'), N'satisfied', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'of kinds `csat` and `ces`: answers in the upper part of the scale', N'SCHEMA', @schema, N'VIEW', N'survey_report_score', N'COLUMN', N'satisfied'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'of kinds `csat` and `ces`: answers in the upper part of the scale', N'SCHEMA', @schema, N'VIEW', N'survey_report_score', N'COLUMN', N'satisfied';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_score') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_score'), N'mean', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'of the values', N'SCHEMA', @schema, N'VIEW', N'survey_report_score', N'COLUMN', N'mean'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'of the values', N'SCHEMA', @schema, N'VIEW', N'survey_report_score', N'COLUMN', N'mean';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_score') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_score'), N'score', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'the net promoter score, the share in percent or the mean, with its 95 % interval', N'SCHEMA', @schema, N'VIEW', N'survey_report_score', N'COLUMN', N'score'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'the net promoter score, the share in percent or the mean, with its 95 % interval', N'SCHEMA', @schema, N'VIEW', N'survey_report_score', N'COLUMN', N'score';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_score') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_score'), N'score_from', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'the net promoter score, the share in percent or the mean, with its 95 % interval', N'SCHEMA', @schema, N'VIEW', N'survey_report_score', N'COLUMN', N'score_from'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'the net promoter score, the share in percent or the mean, with its 95 % interval', N'SCHEMA', @schema, N'VIEW', N'survey_report_score', N'COLUMN', N'score_from';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_score') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_score'), N'score_to', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'the net promoter score, the share in percent or the mean, with its 95 % interval', N'SCHEMA', @schema, N'VIEW', N'survey_report_score', N'COLUMN', N'score_to'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'the net promoter score, the share in percent or the mean, with its 95 % interval', N'SCHEMA', @schema, N'VIEW', N'survey_report_score', N'COLUMN', N'score_to';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_history') AND minor_id = 0 AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'one row for each change of an invitation: how it was, and from when to when', N'SCHEMA', @schema, N'VIEW', N'survey_report_history'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'one row for each change of an invitation: how it was, and from when to when', N'SCHEMA', @schema, N'VIEW', N'survey_report_history';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_history') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_history'), N'customer_id', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as in `survey_report_customer`', N'SCHEMA', @schema, N'VIEW', N'survey_report_history', N'COLUMN', N'customer_id'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as in `survey_report_customer`', N'SCHEMA', @schema, N'VIEW', N'survey_report_history', N'COLUMN', N'customer_id';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_history') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_history'), N'push', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as in `survey_report_customer`', N'SCHEMA', @schema, N'VIEW', N'survey_report_history', N'COLUMN', N'push'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as in `survey_report_customer`', N'SCHEMA', @schema, N'VIEW', N'survey_report_history', N'COLUMN', N'push';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_history') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_history'), N'key', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as in `survey_report_customer`', N'SCHEMA', @schema, N'VIEW', N'survey_report_history', N'COLUMN', N'key'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as in `survey_report_customer`', N'SCHEMA', @schema, N'VIEW', N'survey_report_history', N'COLUMN', N'key';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_history') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_history'), N'transaction_date', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as in `survey_report_customer`', N'SCHEMA', @schema, N'VIEW', N'survey_report_history', N'COLUMN', N'transaction_date'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as in `survey_report_customer`', N'SCHEMA', @schema, N'VIEW', N'survey_report_history', N'COLUMN', N'transaction_date';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_history') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_history'), N'invited_at', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as in `survey_report_customer`', N'SCHEMA', @schema, N'VIEW', N'survey_report_history', N'COLUMN', N'invited_at'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as in `survey_report_customer`', N'SCHEMA', @schema, N'VIEW', N'survey_report_history', N'COLUMN', N'invited_at';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_history') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_history'), N'test', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as in `survey_report_customer`', N'SCHEMA', @schema, N'VIEW', N'survey_report_history', N'COLUMN', N'test'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as in `survey_report_customer`', N'SCHEMA', @schema, N'VIEW', N'survey_report_history', N'COLUMN', N'test';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_history') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_history'), N'second_feedback', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as in `survey_report_customer`', N'SCHEMA', @schema, N'VIEW', N'survey_report_history', N'COLUMN', N'second_feedback'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as in `survey_report_customer`', N'SCHEMA', @schema, N'VIEW', N'survey_report_history', N'COLUMN', N'second_feedback';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_history') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_history'), N'seen_from', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'when it was so, in UTC; NULL in `seen_until`: it still is', N'SCHEMA', @schema, N'VIEW', N'survey_report_history', N'COLUMN', N'seen_from'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'when it was so, in UTC; NULL in `seen_until`: it still is', N'SCHEMA', @schema, N'VIEW', N'survey_report_history', N'COLUMN', N'seen_from';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_history') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_history'), N'seen_until', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'when it was so, in UTC; NULL in `seen_until`: it still is', N'SCHEMA', @schema, N'VIEW', N'survey_report_history', N'COLUMN', N'seen_until'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'when it was so, in UTC; NULL in `seen_until`: it still is', N'SCHEMA', @schema, N'VIEW', N'survey_report_history', N'COLUMN', N'seen_until';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_history') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_history'), N'stage', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'how it was; the last two are 1 or 0', N'SCHEMA', @schema, N'VIEW', N'survey_report_history', N'COLUMN', N'stage'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'how it was; the last two are 1 or 0', N'SCHEMA', @schema, N'VIEW', N'survey_report_history', N'COLUMN', N'stage';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_history') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_history'), N'bounced', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'how it was; the last two are 1 or 0', N'SCHEMA', @schema, N'VIEW', N'survey_report_history', N'COLUMN', N'bounced'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'how it was; the last two are 1 or 0', N'SCHEMA', @schema, N'VIEW', N'survey_report_history', N'COLUMN', N'bounced';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_history') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_history'), N'opted_out', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'how it was; the last two are 1 or 0', N'SCHEMA', @schema, N'VIEW', N'survey_report_history', N'COLUMN', N'opted_out'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'how it was; the last two are 1 or 0', N'SCHEMA', @schema, N'VIEW', N'survey_report_history', N'COLUMN', N'opted_out';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_bounce') AND minor_id = 0 AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'one row for each push, period, kind of bounce and mail domain', N'SCHEMA', @schema, N'VIEW', N'survey_report_bounce'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'one row for each push, period, kind of bounce and mail domain', N'SCHEMA', @schema, N'VIEW', N'survey_report_bounce';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_bounce') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_bounce'), N'push', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as in `survey_report_funnel`', N'SCHEMA', @schema, N'VIEW', N'survey_report_bounce', N'COLUMN', N'push'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as in `survey_report_funnel`', N'SCHEMA', @schema, N'VIEW', N'survey_report_bounce', N'COLUMN', N'push';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_bounce') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_bounce'), N'period', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as in `survey_report_funnel`', N'SCHEMA', @schema, N'VIEW', N'survey_report_bounce', N'COLUMN', N'period'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as in `survey_report_funnel`', N'SCHEMA', @schema, N'VIEW', N'survey_report_bounce', N'COLUMN', N'period';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_bounce') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_bounce'), N'starts', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as in `survey_report_funnel`', N'SCHEMA', @schema, N'VIEW', N'survey_report_bounce', N'COLUMN', N'starts'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as in `survey_report_funnel`', N'SCHEMA', @schema, N'VIEW', N'survey_report_bounce', N'COLUMN', N'starts';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_bounce') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_bounce'), N'kind', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'`hard` or `soft`', N'SCHEMA', @schema, N'VIEW', N'survey_report_bounce', N'COLUMN', N'kind'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'`hard` or `soft`', N'SCHEMA', @schema, N'VIEW', N'survey_report_bounce', N'COLUMN', N'kind';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_bounce') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_bounce'), N'mail_domain', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'the part of the address behind the @', N'SCHEMA', @schema, N'VIEW', N'survey_report_bounce', N'COLUMN', N'mail_domain'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'the part of the address behind the @', N'SCHEMA', @schema, N'VIEW', N'survey_report_bounce', N'COLUMN', N'mail_domain';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_bounce') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_bounce'), N'n', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'the number of bounces', N'SCHEMA', @schema, N'VIEW', N'survey_report_bounce', N'COLUMN', N'n'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'the number of bounces', N'SCHEMA', @schema, N'VIEW', N'survey_report_bounce', N'COLUMN', N'n';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_mailed') AND minor_id = 0 AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'one row for each push and period, by the day of the mail and not of the transaction', N'SCHEMA', @schema, N'VIEW', N'survey_report_mailed'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'one row for each push and period, by the day of the mail and not of the transaction', N'SCHEMA', @schema, N'VIEW', N'survey_report_mailed';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_mailed') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_mailed'), N'push', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as in `survey_report_funnel`', N'SCHEMA', @schema, N'VIEW', N'survey_report_mailed', N'COLUMN', N'push'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as in `survey_report_funnel`', N'SCHEMA', @schema, N'VIEW', N'survey_report_mailed', N'COLUMN', N'push';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_mailed') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_mailed'), N'period', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as in `survey_report_funnel`', N'SCHEMA', @schema, N'VIEW', N'survey_report_mailed', N'COLUMN', N'period'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as in `survey_report_funnel`', N'SCHEMA', @schema, N'VIEW', N'survey_report_mailed', N'COLUMN', N'period';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_mailed') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_mailed'), N'starts', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as in `survey_report_funnel`', N'SCHEMA', @schema, N'VIEW', N'survey_report_mailed', N'COLUMN', N'starts'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as in `survey_report_funnel`', N'SCHEMA', @schema, N'VIEW', N'survey_report_mailed', N'COLUMN', N'starts';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_mailed') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_mailed'), N'n', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'the number of customers who were mailed their invitation', N'SCHEMA', @schema, N'VIEW', N'survey_report_mailed', N'COLUMN', N'n'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'the number of customers who were mailed their invitation', N'SCHEMA', @schema, N'VIEW', N'survey_report_mailed', N'COLUMN', N'n';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_contact') AND minor_id = 0 AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'one row for each customer who asked to be contacted', N'SCHEMA', @schema, N'VIEW', N'survey_report_contact'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'one row for each customer who asked to be contacted', N'SCHEMA', @schema, N'VIEW', N'survey_report_contact';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_contact') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_contact'), N'customer_id', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as in `survey_report_customer`', N'SCHEMA', @schema, N'VIEW', N'survey_report_contact', N'COLUMN', N'customer_id'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as in `survey_report_customer`', N'SCHEMA', @schema, N'VIEW', N'survey_report_contact', N'COLUMN', N'customer_id';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_contact') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_contact'), N'push', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as in `survey_report_customer`', N'SCHEMA', @schema, N'VIEW', N'survey_report_contact', N'COLUMN', N'push'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as in `survey_report_customer`', N'SCHEMA', @schema, N'VIEW', N'survey_report_contact', N'COLUMN', N'push';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_contact') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_contact'), N'key', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as in `survey_report_customer`', N'SCHEMA', @schema, N'VIEW', N'survey_report_contact', N'COLUMN', N'key'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as in `survey_report_customer`', N'SCHEMA', @schema, N'VIEW', N'survey_report_contact', N'COLUMN', N'key';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_contact') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_contact'), N'form_status_name', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as the service says it', N'SCHEMA', @schema, N'VIEW', N'survey_report_contact', N'COLUMN', N'form_status_name'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as the service says it', N'SCHEMA', @schema, N'VIEW', N'survey_report_contact', N'COLUMN', N'form_status_name';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_contact') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_contact'), N'is_open', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'1: its form is new, or has no status', N'SCHEMA', @schema, N'VIEW', N'survey_report_contact', N'COLUMN', N'is_open'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'1: its form is new, or has no status', N'SCHEMA', @schema, N'VIEW', N'survey_report_contact', N'COLUMN', N'is_open';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_contact') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_contact'), N'requested_at', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'when it was asked for, and how many days ago', N'SCHEMA', @schema, N'VIEW', N'survey_report_contact', N'COLUMN', N'requested_at'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'when it was asked for, and how many days ago', N'SCHEMA', @schema, N'VIEW', N'survey_report_contact', N'COLUMN', N'requested_at';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_contact') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_contact'), N'age_days', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'when it was asked for, and how many days ago', N'SCHEMA', @schema, N'VIEW', N'survey_report_contact', N'COLUMN', N'age_days'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'when it was asked for, and how many days ago', N'SCHEMA', @schema, N'VIEW', N'survey_report_contact', N'COLUMN', N'age_days';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_contact') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_contact'), N'last_note_at', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'when somebody last wrote a note', N'SCHEMA', @schema, N'VIEW', N'survey_report_contact', N'COLUMN', N'last_note_at'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'when somebody last wrote a note', N'SCHEMA', @schema, N'VIEW', N'survey_report_contact', N'COLUMN', N'last_note_at';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_suppressed') AND minor_id = 0 AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'one row for each transaction that was not sent', N'SCHEMA', @schema, N'VIEW', N'survey_report_suppressed'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'one row for each transaction that was not sent', N'SCHEMA', @schema, N'VIEW', N'survey_report_suppressed';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_suppressed') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_suppressed'), N'push', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'our transaction', N'SCHEMA', @schema, N'VIEW', N'survey_report_suppressed', N'COLUMN', N'push'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'our transaction', N'SCHEMA', @schema, N'VIEW', N'survey_report_suppressed', N'COLUMN', N'push';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_suppressed') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_suppressed'), N'key', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'our transaction', N'SCHEMA', @schema, N'VIEW', N'survey_report_suppressed', N'COLUMN', N'key'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'our transaction', N'SCHEMA', @schema, N'VIEW', N'survey_report_suppressed', N'COLUMN', N'key';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_suppressed') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_suppressed'), N'state', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'`suppressed` or `quarantined`', N'SCHEMA', @schema, N'VIEW', N'survey_report_suppressed', N'COLUMN', N'state'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'`suppressed` or `quarantined`', N'SCHEMA', @schema, N'VIEW', N'survey_report_suppressed', N'COLUMN', N'state';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_suppressed') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_suppressed'), N'reason', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'why, without words of the service', N'SCHEMA', @schema, N'VIEW', N'survey_report_suppressed', N'COLUMN', N'reason'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'why, without words of the service', N'SCHEMA', @schema, N'VIEW', N'survey_report_suppressed', N'COLUMN', N'reason';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_suppressed') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_suppressed'), N'seen_at', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'when the bridge met it, and when it was decided', N'SCHEMA', @schema, N'VIEW', N'survey_report_suppressed', N'COLUMN', N'seen_at'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'when the bridge met it, and when it was decided', N'SCHEMA', @schema, N'VIEW', N'survey_report_suppressed', N'COLUMN', N'seen_at';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_suppressed') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_suppressed'), N'decided_at', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'when the bridge met it, and when it was decided', N'SCHEMA', @schema, N'VIEW', N'survey_report_suppressed', N'COLUMN', N'decided_at'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'when the bridge met it, and when it was decided', N'SCHEMA', @schema, N'VIEW', N'survey_report_suppressed', N'COLUMN', N'decided_at';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_rating') AND minor_id = 0 AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'one row for each rating', N'SCHEMA', @schema, N'VIEW', N'survey_report_rating'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'one row for each rating', N'SCHEMA', @schema, N'VIEW', N'survey_report_rating';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_rating') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_rating'), N'rating_id', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'the service''s number', N'SCHEMA', @schema, N'VIEW', N'survey_report_rating', N'COLUMN', N'rating_id'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'the service''s number', N'SCHEMA', @schema, N'VIEW', N'survey_report_rating', N'COLUMN', N'rating_id';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_rating') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_rating'), N'push', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'of its transaction; NULL where it is not known', N'SCHEMA', @schema, N'VIEW', N'survey_report_rating', N'COLUMN', N'push'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'of its transaction; NULL where it is not known', N'SCHEMA', @schema, N'VIEW', N'survey_report_rating', N'COLUMN', N'push';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_rating') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_rating'), N'key', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'of its transaction; NULL where it is not known', N'SCHEMA', @schema, N'VIEW', N'survey_report_rating', N'COLUMN', N'key'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'of its transaction; NULL where it is not known', N'SCHEMA', @schema, N'VIEW', N'survey_report_rating', N'COLUMN', N'key';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_rating') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_rating'), N'customer_id', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'of its transaction; NULL where it is not known', N'SCHEMA', @schema, N'VIEW', N'survey_report_rating', N'COLUMN', N'customer_id'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'of its transaction; NULL where it is not known', N'SCHEMA', @schema, N'VIEW', N'survey_report_rating', N'COLUMN', N'customer_id';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_rating') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_rating'), N'transaction_date', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as the service says it', N'SCHEMA', @schema, N'VIEW', N'survey_report_rating', N'COLUMN', N'transaction_date'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as the service says it', N'SCHEMA', @schema, N'VIEW', N'survey_report_rating', N'COLUMN', N'transaction_date';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_rating') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_rating'), N'finished_date', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as the service says it', N'SCHEMA', @schema, N'VIEW', N'survey_report_rating', N'COLUMN', N'finished_date'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as the service says it', N'SCHEMA', @schema, N'VIEW', N'survey_report_rating', N'COLUMN', N'finished_date';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_rating') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_rating'), N'review_approved_date', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as the service says it', N'SCHEMA', @schema, N'VIEW', N'survey_report_rating', N'COLUMN', N'review_approved_date'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as the service says it', N'SCHEMA', @schema, N'VIEW', N'survey_report_rating', N'COLUMN', N'review_approved_date';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_text') AND minor_id = 0 AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'one row for each text that a customer wrote', N'SCHEMA', @schema, N'VIEW', N'survey_report_text'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'one row for each text that a customer wrote', N'SCHEMA', @schema, N'VIEW', N'survey_report_text';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_text') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_text'), N'customer_id', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as in `survey_report_customer`', N'SCHEMA', @schema, N'VIEW', N'survey_report_text', N'COLUMN', N'customer_id'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as in `survey_report_customer`', N'SCHEMA', @schema, N'VIEW', N'survey_report_text', N'COLUMN', N'customer_id';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_text') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_text'), N'push', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as in `survey_report_customer`', N'SCHEMA', @schema, N'VIEW', N'survey_report_text', N'COLUMN', N'push'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as in `survey_report_customer`', N'SCHEMA', @schema, N'VIEW', N'survey_report_text', N'COLUMN', N'push';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_text') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_text'), N'key', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as in `survey_report_customer`', N'SCHEMA', @schema, N'VIEW', N'survey_report_text', N'COLUMN', N'key'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as in `survey_report_customer`', N'SCHEMA', @schema, N'VIEW', N'survey_report_text', N'COLUMN', N'key';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_text') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_text'), N'day', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'the day of the transaction, by the CRM''s clock', N'SCHEMA', @schema, N'VIEW', N'survey_report_text', N'COLUMN', N'day'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'the day of the transaction, by the CRM''s clock', N'SCHEMA', @schema, N'VIEW', N'survey_report_text', N'COLUMN', N'day';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_text') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_text'), N'question', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'the label or the words of the question', N'SCHEMA', @schema, N'VIEW', N'survey_report_text', N'COLUMN', N'question'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'the label or the words of the question', N'SCHEMA', @schema, N'VIEW', N'survey_report_text', N'COLUMN', N'question';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_text') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_text'), N'score', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'what the same answer chose on a scale', N'SCHEMA', @schema, N'VIEW', N'survey_report_text', N'COLUMN', N'score'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'what the same answer chose on a scale', N'SCHEMA', @schema, N'VIEW', N'survey_report_text', N'COLUMN', N'score';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_text') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_text'), N'text', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'what was written, and when', N'SCHEMA', @schema, N'VIEW', N'survey_report_text', N'COLUMN', N'text'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'what was written, and when', N'SCHEMA', @schema, N'VIEW', N'survey_report_text', N'COLUMN', N'text';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_text') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_text'), N'date_answered', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'what was written, and when', N'SCHEMA', @schema, N'VIEW', N'survey_report_text', N'COLUMN', N'date_answered'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'what was written, and when', N'SCHEMA', @schema, N'VIEW', N'survey_report_text', N'COLUMN', N'date_answered';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_distribution') AND minor_id = 0 AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'one row for each push, question, period, segment and value', N'SCHEMA', @schema, N'VIEW', N'survey_report_distribution'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'one row for each push, question, period, segment and value', N'SCHEMA', @schema, N'VIEW', N'survey_report_distribution';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_distribution') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_distribution'), N'push', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as in `survey_report_score`', N'SCHEMA', @schema, N'VIEW', N'survey_report_distribution', N'COLUMN', N'push'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as in `survey_report_score`', N'SCHEMA', @schema, N'VIEW', N'survey_report_distribution', N'COLUMN', N'push';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_distribution') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_distribution'), N'question', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as in `survey_report_score`', N'SCHEMA', @schema, N'VIEW', N'survey_report_distribution', N'COLUMN', N'question'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as in `survey_report_score`', N'SCHEMA', @schema, N'VIEW', N'survey_report_distribution', N'COLUMN', N'question';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_distribution') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_distribution'), N'kind', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as in `survey_report_score`', N'SCHEMA', @schema, N'VIEW', N'survey_report_distribution', N'COLUMN', N'kind'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as in `survey_report_score`', N'SCHEMA', @schema, N'VIEW', N'survey_report_distribution', N'COLUMN', N'kind';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_distribution') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_distribution'), N'period', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as in `survey_report_score`', N'SCHEMA', @schema, N'VIEW', N'survey_report_distribution', N'COLUMN', N'period'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as in `survey_report_score`', N'SCHEMA', @schema, N'VIEW', N'survey_report_distribution', N'COLUMN', N'period';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_distribution') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_distribution'), N'starts', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as in `survey_report_score`', N'SCHEMA', @schema, N'VIEW', N'survey_report_distribution', N'COLUMN', N'starts'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as in `survey_report_score`', N'SCHEMA', @schema, N'VIEW', N'survey_report_distribution', N'COLUMN', N'starts';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_distribution') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_distribution'), N'segment', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as in `survey_report_score`', N'SCHEMA', @schema, N'VIEW', N'survey_report_distribution', N'COLUMN', N'segment'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as in `survey_report_score`', N'SCHEMA', @schema, N'VIEW', N'survey_report_distribution', N'COLUMN', N'segment';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_distribution') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_distribution'), N'segment_value', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'as in `survey_report_score`', N'SCHEMA', @schema, N'VIEW', N'survey_report_distribution', N'COLUMN', N'segment_value'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'as in `survey_report_score`', N'SCHEMA', @schema, N'VIEW', N'survey_report_distribution', N'COLUMN', N'segment_value';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_distribution') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_distribution'), N'score', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'a value of the scale', N'SCHEMA', @schema, N'VIEW', N'survey_report_distribution', N'COLUMN', N'score'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'a value of the scale', N'SCHEMA', @schema, N'VIEW', N'survey_report_distribution', N'COLUMN', N'score';
DECLARE @schema sysname = SCHEMA_NAME()
IF EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND major_id = OBJECT_ID(N'survey_report_distribution') AND minor_id = COLUMNPROPERTY(OBJECT_ID(N'survey_report_distribution'), N'n', 'ColumnId') AND name = N'MS_Description')
  EXEC sp_updateextendedproperty N'MS_Description', N'the number of answers with it', N'SCHEMA', @schema, N'VIEW', N'survey_report_distribution', N'COLUMN', N'n'
ELSE
  EXEC sp_addextendedproperty N'MS_Description', N'the number of answers with it', N'SCHEMA', @schema, N'VIEW', N'survey_report_distribution', N'COLUMN', N'n';
