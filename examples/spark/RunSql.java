import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Runs the SQL files named on the command line in Spark, in a local process with two cores, and prints the rows of
 * each query as JSON, a row per line. The first argument is the folder or address of the data set; it replaces DATASET
 * in the files.
 */
public class RunSql {
  public static void main(String[] args) throws Exception {
    SparkSession spark =
        SparkSession.builder()
            .master(System.getProperty("spark.master", "local[2]"))
            .appName("spanflame")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.sql.shuffle.partitions", "2")
            .getOrCreate();
    for (int i = 1; i < args.length; i++) {
      for (String statement : statements(Files.readString(Path.of(args[i])))) {
        Dataset<Row> rows = spark.sql(statement.replace("DATASET", args[0]));
        for (String row : rows.toJSON().collectAsList()) System.out.println(row);
      }
    }
    spark.stop();
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
