import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.QueryBuilder;

/**
 * Indexes a catalogue with Lucene, asks it questions and prints a line of JSON:
 *
 * <pre>java LucenePeer.java CATALOGUE.jsonl QUESTIONS.json INDEX_FOLDER SECONDS</pre>
 *
 * `PeerReport` in `scripts/bench/peers.ts` describes the line, and the tantivy peer beside this one
 * does the same: English stems, BM25 over any of the words, the name ×3, the best 20.
 */
public final class LucenePeer {
  private static final int LIMIT = 20;
  private static final float NAME_BOOST = 3;
  private static final double WARM_UP_SECONDS = 2;
  private static final double WRITER_MB = 256;

  /** Keeps the frequent words, as the tantivy peer does. */
  private static final Analyzer STEMS = new EnglishAnalyzer(CharArraySet.EMPTY_SET);

  private final QueryBuilder queries = new QueryBuilder(STEMS);
  private final IndexSearcher searcher;

  private LucenePeer(IndexSearcher searcher) {
    this.searcher = searcher;
  }

  public static void main(String[] arguments) throws Exception {
    var catalogue = Path.of(arguments[0]);
    var questions = new Gson().fromJson(Files.readString(Path.of(arguments[1])), String[].class);
    var folder = Path.of(arguments[2]);
    var seconds = Double.parseDouble(arguments[3]);
    var startedNs = System.nanoTime();
    var peer = build(catalogue, folder);
    var report = new JsonObject();
    report.addProperty("indexSeconds", (System.nanoTime() - startedNs) / 1e9);
    peer.ask(questions, WARM_UP_SECONDS);
    var times = peer.ask(questions, seconds);
    Arrays.sort(times);
    report.addProperty("p50Ms", times[(int) (times.length * 0.5)] / 1e6);
    report.addProperty("p99Ms", times[(int) (times.length * 0.99)] / 1e6);
    report.addProperty("perSecond", times.length / (LongStream.of(times).sum() / 1e9));
    report.addProperty("perSecondAllCores", peer.askFromAllCores(questions, seconds) / seconds);
    report.addProperty("diskBytes", bytesIn(folder));
    report.addProperty("residentBytes", residentBytes());
    System.out.println(report);
  }

  private static LucenePeer build(Path catalogue, Path folder) throws IOException {
    var text = new FieldType();
    text.setTokenized(true);
    text.setIndexOptions(IndexOptions.DOCS_AND_FREQS);
    text.freeze();
    var directory = FSDirectory.open(folder);
    var config = new IndexWriterConfig(STEMS).setRAMBufferSizeMB(WRITER_MB);
    try (var writer = new IndexWriter(directory, config);
        var lines = Files.newBufferedReader(catalogue)) {
      long place = 0;
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        var item = JsonParser.parseString(line).getAsJsonObject();
        var document = new Document();
        document.add(new Field("name", textOf(item, "name"), text));
        document.add(new Field("description", textOf(item, "description"), text));
        document.add(new NumericDocValuesField("place", place++));
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
    return new LucenePeer(new IndexSearcher(DirectoryReader.open(directory)));
  }

  private static String textOf(JsonObject item, String member) {
    JsonElement text = item.get(member);
    return text == null || text.isJsonNull() ? "" : text.getAsString();
  }

  private long[] search(String question) throws IOException {
    var query = new BooleanQuery.Builder();
    addWords(query, queries.createBooleanQuery("name", question), NAME_BOOST);
    addWords(query, queries.createBooleanQuery("description", question), 1);
    var found = searcher.search(query.build(), LIMIT).scoreDocs;
    var places = new long[found.length];
    for (int at = 0; at < found.length; at++) places[at] = placeOf(found[at]);
    return places;
  }

  /** Adds each word by itself, because Lucene skips less in a disjunction of disjunctions. */
  private static void addWords(BooleanQuery.Builder query, Query words, float boost) {
    if (words instanceof BooleanQuery any)
      for (var word : any) query.add(new BoostQuery(word.getQuery(), boost), Occur.SHOULD);
    else if (words != null) query.add(new BoostQuery(words, boost), Occur.SHOULD);
  }

  private long placeOf(ScoreDoc found) throws IOException {
    var leaves = searcher.getIndexReader().leaves();
    LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(found.doc, leaves));
    var places = leaf.reader().getNumericDocValues("place");
    places.advanceExact(found.doc - leaf.docBase);
    return places.longValue();
  }

  /** Asks the questions in turn until the time is over. Returns the nanoseconds that each took. */
  private long[] ask(String[] questions, double seconds) throws IOException {
    var times = LongStream.builder();
    long checksum = 0;
    long endNs = System.nanoTime() + (long) (seconds * 1e9);
    for (int asked = 0; System.nanoTime() < endNs; asked++) {
      long askedNs = System.nanoTime();
      checksum += search(questions[asked % questions.length]).length;
      times.add(System.nanoTime() - askedNs);
    }
    if (checksum == 0) throw new IllegalStateException("No question finds anything.");
    return times.build().toArray();
  }

  /** As `ask`, from one thread per core. Returns the number of answers. */
  private double askFromAllCores(String[] questions, double seconds) throws Exception {
    int cores = Runtime.getRuntime().availableProcessors();
    var threads = Executors.newFixedThreadPool(cores);
    try {
      List<Callable<Integer>> loads = new ArrayList<>();
      for (int core = 0; core < cores; core++) loads.add(() -> ask(questions, seconds).length);
      double answers = 0;
      for (var load : threads.invokeAll(loads)) answers += load.get();
      return answers;
    } finally {
      threads.shutdown();
    }
  }

  private static long bytesIn(Path folder) throws IOException {
    long bytes = 0;
    try (var files = Files.list(folder)) {
      for (var file : (Iterable<Path>) files::iterator) bytes += Files.size(file);
    }
    return bytes;
  }

  /** Resident memory of this process; null without /proc. */
  private static Long residentBytes() throws IOException {
    var status = Path.of("/proc/self/status");
    if (!Files.exists(status)) return null;
    for (var line : Files.readAllLines(status))
      if (line.startsWith("VmRSS:")) return Long.parseLong(line.split("\\s+")[1]) * 1024;
    return null;
  }
}
