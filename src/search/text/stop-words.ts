import { termOf } from './words.ts';

/** Words of English questions that say nothing about the thing asked for. */
const ENGLISH = termSet(`
  a about all am an and any anything are as at be been but by can could did do does doesn don for from get give
  had has have hello hey hi how i if in into is isn it its just like looking me my need of on one or our please
  recommend sell shall she should show so some something tell than thank thanks that the their them then there
  these they this those to under want was we were what when where which who why will with would you your`);

/** The same for other languages. A word of these may be an English one (`pour over`, `die cast`). */
const FOREIGN: readonly ReadonlySet<string>[] = [
  termSet(`ich suche wir brauche möchte hätte gerne ein eine einen einem einer der die das den dem des und oder für
    mit von zu zum zur im ist sind gibt es haben habt sie ihr mir mich bitte welche welcher welches was wie wo auf
    aus bei nach nicht kann man`),
  termSet(`je cherche nous voudrais besoin un une des le la les du de et ou pour avec sur dans est sont il elle vous
    avez mon ma mes quel quelle quels quelles qui que comment où s'il plaît au aux en pas`),
  termSet(`busco quiero necesito un una unos unas el la los las de del y o para con por en es son hay tiene tienen
    qué cuál cómo dónde mi me`),
];

/** So many words of a foreign language, and the question is in it. */
const FOREIGN_WORDS_MIN = 2;

/** The terms that say what is wanted. All of them where none says more than the others ("the who", "it"). */
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

/** Whoever a thing is for. A catalogue seldom names them, and then "lover" is no slip of "lever". */
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
