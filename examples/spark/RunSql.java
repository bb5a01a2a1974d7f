import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Runs files of SQL in Spark, and prints the rows of each query as JSON, a row per line. The first argument is the
 * folder or address of the data set; it replaces DATASET in the files. Or it is a namespace of a catalogue with its
 * tables, such as spanflame.profiles. Without -Dspark.master=… Spark runs in this process, with two threads.
 */
public class RunSql {
  /** A statement that makes a table of the data set known. */
  private static final Pattern TABLE = Pattern.compile("(?s)(CREATE .* VIEW (\\w+)) .*path '(DATASET/[^']+)'.*");

  public static void main(String[] args) throws Exception {
    SparkSession spark =
        SparkSession.builder()
            .master(System.getProperty("spark.master", "local[2]"))
            .appName("spanflame")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.sql.shuffle.partitions", System.getProperty("spark.sql.shuffle.partitions", "2"))
            .getOrCreate();
    for (int i = 1; i < args.length; i++) {
      for (String statement : statements(Files.readString(java.nio.file.Path.of(args[i])))) {
        String own = statementFor(spark, statement, args[0]);
        if (own == null) continue;
        Dataset<Row> rows = spark.sql(own);
        // Of statements without rows the list is empty.
        for (String row : rows.toJSON().collectAsList()) System.out.println(row);
      }
    }
    spark.stop();
  }

  /** Null for a table without rows: it has no folder, and a catalogue does not have it. */
  private static String statementFor(SparkSession spark, String statement, String place) throws Exception {
    Matcher table = TABLE.matcher(statement);
    if (!table.matches()) return statement.replace("DATASET", place);
    if (System.getProperty("spark.sql.catalog." + place.split("\\.")[0]) != null) {
      String name = place + "." + table.group(2);
      return spark.catalog().tableExists(name) ? table.group(1) + " AS SELECT * FROM " + name : null;
    }
    Path path = new Path(table.group(3).replace("DATASET", place));
    boolean isThere = path.getFileSystem(spark.sparkContext().hadoopConfiguration()).exists(path);
    return isThere ? statement.replace("DATASET", place) : null;
  }

  /** Statements end with a semicolon at the end of a line. */
  static List<String> statements(String sql) {
    List<String> found = new ArrayList<>();
    for (String part : sql.split(";\\s*(\\n|$)")) {
      String text = part.replaceAll("(?m)^--.*$", "").strip();
      if (!text.isEmpty()) found.add(text);
    }
    return found;
  }
}
