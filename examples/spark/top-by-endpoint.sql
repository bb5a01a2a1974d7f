-- The ten functions with the most CPU time of each endpoint and date. Dates are partitions, and stacks and functions are
-- numbered in their part, so each part is joined with its own stacks only: Spark reads parts in parallel, and shuffles
-- sums of stacks instead of samples.
WITH stacks_of_endpoint AS (
  SELECT date, endpoint, part, stack_id, sum(value * coalesce(period, 1)) AS weight
  FROM samples
  WHERE profile_type = 'cpu' AND endpoint IS NOT NULL AND stack_id IS NOT NULL
  GROUP BY date, endpoint, part, stack_id
),
frames_of_endpoint AS (
  SELECT e.date, e.endpoint, e.part, e.stack_id, e.weight, posexplode(k.frames) AS (at, function_id)
  FROM stacks_of_endpoint e JOIN stacks k ON e.date = k.date AND e.part = k.part AND e.stack_id = k.stack_id
),
-- A function counts once for each stack, also where it calls itself. The leaf is at 0.
functions_of_stack AS (
  SELECT f.date, f.endpoint, f.part, f.stack_id, n.display_name AS function_name, any_value(f.weight) AS weight,
    min(f.at) AS at
  FROM frames_of_endpoint f
    JOIN functions n ON f.date = n.date AND f.part = n.part AND f.function_id = n.function_id
  GROUP BY f.date, f.endpoint, f.part, f.stack_id, n.display_name
),
totals AS (
  SELECT date, endpoint, function_name, sum(if(at = 0, weight, 0)) AS self, sum(weight) AS total
  FROM functions_of_stack
  GROUP BY date, endpoint, function_name
),
placed AS (
  SELECT *, row_number() OVER (PARTITION BY date, endpoint ORDER BY self DESC, total DESC, function_name) AS place
  FROM totals
)
SELECT date, endpoint, place, function_name, self, total
FROM placed
WHERE place <= 10
ORDER BY date, endpoint, place;
