-- Registers the parts of a data set in Iceberg tables of the catalogue `lake`, as they are (README.md). It runs after
-- docs/sql/views.spark.sql, whose views have the columns. `spans` and `calls` are registered in the same way.
CREATE NAMESPACE IF NOT EXISTS lake.profiles;
CREATE TABLE lake.profiles.samples USING iceberg PARTITIONED BY (date) AS SELECT * FROM samples WHERE false;
CALL lake.system.add_files(table => 'profiles.samples', source_table => '`parquet`.`DATASET/samples`');
CREATE TABLE lake.profiles.stacks USING iceberg PARTITIONED BY (date) AS SELECT * FROM stacks WHERE false;
CALL lake.system.add_files(table => 'profiles.stacks', source_table => '`parquet`.`DATASET/stacks`');
CREATE TABLE lake.profiles.functions USING iceberg PARTITIONED BY (date) AS SELECT * FROM functions WHERE false;
CALL lake.system.add_files(table => 'profiles.functions', source_table => '`parquet`.`DATASET/functions`');
CREATE TABLE lake.profiles.recordings USING iceberg PARTITIONED BY (date) AS SELECT * FROM recordings WHERE false;
CALL lake.system.add_files(table => 'profiles.recordings', source_table => '`parquet`.`DATASET/recordings`');
