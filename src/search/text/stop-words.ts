import { termOf } from './words.ts';

/** Stop words: words of English questions that say nothing about the product. */
const ENGLISH = termSet(`
  a about all am an and any anything are as at be been but by can could did do does doesn don for from get give
  had has have hello hey hi how i if in into is isn it its just like looking me my need of on one or our please
  recommend sell shall she should show so some something tell than thank thanks that the their them then there
  these they this those to under want was we were what when where which who why will with would you your`);

/** Stop words of other languages. Some of them are also English words (`pour over`, `die cast`). */
const FOREIGN: readonly ReadonlySet<string>[] = [
  termSet(`ich suche wir brauche möchte hätte gerne ein eine einen einem einer der die das den dem des und oder für
    mit von zu zum zur im ist sind gibt es haben habt sie ihr mir mich bitte welche welcher welches was wie wo auf
    aus bei nach nicht kann man`),
  termSet(`je cherche nous voudrais besoin un une des le la les du de et ou pour avec sur dans est sont il elle vous
    avez mon ma mes quel quelle quels quelles qui que comment où s'il plaît au aux en pas`),
  termSet(`busco quiero necesito un una unos unas el la los las de del y o para con por en es son hay tiene tienen
    qué cuál cómo dónde mi me`),
];

/** A question with this many stop words of a foreign language is taken to be in that language. */
const FOREIGN_WORDS_MIN = 2;

/** The terms that are not stop words; all terms if every one is a stop word ("the who", "it"). */
export function tellingTerms(terms: readonly string[]): string[] {
  const foreign = FOREIGN.filter(
    (words) => terms.filter((term) => words.has(term)).length >= FOREIGN_WORDS_MIN,
  );
  const telling = terms.filter(
    (term) => !ENGLISH.has(term) && !foreign.some((words) => words.has(term)),
  );
  return telling.length > 0 ? telling : [...terms];
}

export function isStopWord(term: string): boolean {
  return ENGLISH.has(term);
}

/**
 * The people a product is for. A catalogue seldom names them, and "lover" must not be corrected to
 * "lever".
 */
const PEOPLE = termSet(`
  lover fan enthusiast friend mother mum mom father dad parent grandmother grandma grandfather grandpa wife husband
  girlfriend boyfriend partner sister brother son daughter kid child baby toddler teenager teacher student beginner
  colleague coworker boss neighbour neighbor host guest couple`);

export function isPerson(term: string): boolean {
  return PEOPLE.has(term);
}

function termSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/).map(termOf));
}
