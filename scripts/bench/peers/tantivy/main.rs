//! Indexes a catalogue with tantivy, asks it questions and prints a line of JSON:
//!
//!     tantivy-peer CATALOGUE.jsonl QUESTIONS.json INDEX_FOLDER SECONDS
//!
//! `PeerReport` in `scripts/bench/peers.ts` describes the line, and the Lucene peer beside this one
//! does the same: English stems, BM25 over any of the words, the name ×3, the best 20.

use std::env;
use std::fs::{create_dir_all, read_dir, read_to_string, File};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{json, Value};
use tantivy::collector::TopDocs;
use tantivy::columnar::Column;
use tantivy::merge_policy::NoMergePolicy;
use tantivy::query::{BooleanQuery, BoostQuery, Occur, Query, TermQuery};
use tantivy::schema::{
    Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions, FAST,
};
use tantivy::{doc, Index, IndexWriter, Searcher, Term};

const LIMIT: usize = 20;
const NAME_BOOST: f32 = 3.0;
const WARM_UP: Duration = Duration::from_secs(2);
const WRITER_BYTES: usize = 256 << 20;

type Fallible<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

struct Engine {
    index: Index,
    searcher: Searcher,
    name: Field,
    description: Field,
    /// By segment, the place of each document in the catalogue.
    places: Vec<Column<u64>>,
}

impl Engine {
    fn build(catalogue: &str, folder: &Path) -> Fallible<Engine> {
        let mut schema = Schema::builder();
        let indexing = TextFieldIndexing::default()
            .set_tokenizer("en_stem")
            .set_index_option(IndexRecordOption::WithFreqs);
        let text = TextOptions::default().set_indexing_options(indexing);
        let name = schema.add_text_field("name", text.clone());
        let description = schema.add_text_field("description", text);
        let place = schema.add_u64_field("place", FAST);
        create_dir_all(folder)?;
        let index = Index::create_in_dir(folder, schema.build())?;
        let mut writer: IndexWriter = index.writer(WRITER_BYTES)?;
        writer.set_merge_policy(Box::new(NoMergePolicy));
        for (at, line) in BufReader::new(File::open(catalogue)?).lines().enumerate() {
            let item: Value = serde_json::from_str(&line?)?;
            let text_of = |member: &str| item[member].as_str().unwrap_or("");
            writer.add_document(doc!(
                name => text_of("name"),
                description => text_of("description"),
                place => at as u64,
            ))?;
        }
        writer.commit()?;
        let segments = index.searchable_segment_ids()?;
        if segments.len() > 1 {
            writer.merge(&segments).wait()?;
        }
        writer.garbage_collect_files().wait()?;
        writer.wait_merging_threads()?;
        let searcher = index.reader()?.searcher();
        let places = searcher
            .segment_readers()
            .iter()
            .map(|segment| segment.fast_fields().u64("place"))
            .collect::<Result<_, _>>()?;
        Ok(Engine { index, searcher, name, description, places })
    }

    fn search(&self, question: &str) -> Fallible<Vec<u64>> {
        let mut clauses: Vec<(Occur, Box<dyn Query>)> = Vec::new();
        for (field, boost) in [(self.name, NAME_BOOST), (self.description, 1.0)] {
            let mut tokenizer = self.index.tokenizer_for_field(field)?;
            tokenizer.token_stream(question).process(&mut |token| {
                let term = Term::from_field_text(field, &token.text);
                let query = Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs));
                clauses.push((Occur::Should, Box::new(BoostQuery::new(query, boost))));
            });
        }
        let best = TopDocs::with_limit(LIMIT).order_by_score();
        let found = self.searcher.search(&BooleanQuery::new(clauses), &best)?;
        let place_of = |segment: u32, document| self.places[segment as usize].first(document);
        Ok(found
            .into_iter()
            .filter_map(|(_, address)| place_of(address.segment_ord, address.doc_id))
            .collect())
    }

    /// Asks the questions in turn until the time is over. Returns the time that each took.
    fn ask(&self, questions: &[String], lasting: Duration) -> Fallible<Vec<Duration>> {
        let started = Instant::now();
        let mut times = Vec::new();
        for question in questions.iter().cycle() {
            if started.elapsed() >= lasting {
                break;
            }
            let asked = Instant::now();
            std::hint::black_box(self.search(question)?);
            times.push(asked.elapsed());
        }
        Ok(times)
    }

    /// As `ask`, from one thread per core. Returns the number of answers.
    fn ask_from_all_cores(&self, questions: &[String], lasting: Duration) -> Fallible<usize> {
        thread::scope(|scope| {
            let threads: Vec<_> = (0..thread::available_parallelism()?.get())
                .map(|_| scope.spawn(|| self.ask(questions, lasting)))
                .collect();
            let mut answers = 0;
            for thread in threads {
                answers += thread.join().expect("a thread panicked")?.len();
            }
            Ok(answers)
        })
    }
}

fn main() -> Fallible<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [catalogue, questions, folder, seconds] = &arguments[..] else {
        return Err("usage: CATALOGUE.jsonl QUESTIONS.json INDEX_FOLDER SECONDS".into());
    };
    let questions: Vec<String> = serde_json::from_str(&read_to_string(questions)?)?;
    let lasting = Duration::from_secs_f64(seconds.parse()?);
    let started = Instant::now();
    let engine = Engine::build(catalogue, Path::new(folder))?;
    let index_seconds = started.elapsed().as_secs_f64();
    engine.ask(&questions, WARM_UP)?;
    let mut times = engine.ask(&questions, lasting)?;
    times.sort();
    let at_share = |share: f64| times[(times.len() as f64 * share) as usize].as_secs_f64() * 1000.0;
    let all_cores = engine.ask_from_all_cores(&questions, lasting)?;
    let report = json!({
        "indexSeconds": index_seconds,
        "p50Ms": at_share(0.5),
        "p99Ms": at_share(0.99),
        "perSecond": times.len() as f64 / times.iter().sum::<Duration>().as_secs_f64(),
        "perSecondAllCores": all_cores as f64 / lasting.as_secs_f64(),
        "diskBytes": bytes_in(Path::new(folder))?,
        "residentBytes": resident_bytes(),
    });
    println!("{report}");
    Ok(())
}

fn bytes_in(folder: &Path) -> Fallible<u64> {
    let mut bytes = 0;
    for entry in read_dir(folder)? {
        bytes += entry?.metadata()?.len();
    }
    Ok(bytes)
}

/// Resident memory of this process; none without /proc.
fn resident_bytes() -> Option<u64> {
    let status = read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
}
