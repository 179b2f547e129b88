import { describe, expect, test } from 'bun:test';
import type { Constraint } from '../../../src/search/query/constraints.ts';
import { exclusionGroups } from '../../../src/search/query/exclusions.ts';
import { parseQuestion } from '../../../src/search/query/parse-question.ts';
import { parseQuestionIn } from '../../../src/search/query/several-languages.ts';
import { languageOf } from '../../../src/search/text/language.ts';

/** A constraint in short: `<= 50 EUR`, `not leder`, `1500..null ml`, `available`. */
function short(constraint: Constraint): string {
  switch (constraint.kind) {
    case 'price':
      return `${constraint.min ?? ''}..${constraint.max ?? ''} ${constraint.currency ?? 'money'}`;
    case 'measure':
      return `${constraint.min ?? ''}..${constraint.max ?? ''} ${constraint.unit}`;
    case 'exclude':
      return `not ${constraint.terms.join(' ')}`;
    case 'availability':
      return 'available';
    case 'order':
      return constraint.by;
  }
}

type Row = readonly [question: string, terms: string, ...constraints: string[]];

const TABLES: Readonly<Record<string, readonly Row[]>> = {
  de: [
    ['Handschuhe nicht aus Leder', 'handschuh', 'not leder'],
    ['Topf unter 50 Euro', 'topf', '..50 EUR'],
    ['Töpfe für höchstens 1.200,50 €', 'topf', '..1200.5 EUR'],
    ['Messer zwischen 20 und 40 Euro', 'mess', '20..40 EUR'],
    ['Kanne mit mindestens 1,5 Liter', 'kanne', '1500.. ml'],
    ['Becher, der sofort lieferbar ist', 'bech', 'available'],
    ['günstigstes Messer', 'mess', 'lowestPrice'],
    ['laktosefreie Schokolade', 'schokolad', 'not laktos'],
    ['Pfanne ohne Beschichtung oder Teflon', 'pfann', 'not beschicht', 'not teflon'],
    ['Ich suche eine Kuechenwaage', 'kuchenwaag'],
    ['Küchenwaagen', 'kuchenwaag'],
    ['Decken aus Wolle', 'deck woll'],
    ['neue Quelle', 'neu quell'],
    ['nicht zu teure Pfanne', 'teur pfann'],
    ['Hose Gr. M', 'hos m'],
    ['Schuhe in Größe 42', 'schuh 42'],
    ['Koffer unter 3,5 kg', 'koff', '..3500 g'],
    ['Akku mit 10.000 mAh', 'akku 10000mah'],
    ['Messer bis 50€', 'mess', '..50 EUR'],
    ['Messer unter fünfzig Euro', 'mess', '..50 EUR'],
    ['Messer, Budget 30 Euro', 'mess', '..30 EUR'],
    ['Messer um die 30 Euro', 'mess', '24..36 EUR'],
    ['mindestens 5 Sterne', '5 stern'],
    ['sofort lieferbare Messer', 'mess', 'available'],
    ['Geschenk, aber bitte keine Messer', 'geschenk', 'not mess'],
    ['Becher statt Tassen', 'bech', 'not tass'],
    ['Pfanne außer Gusseisen', 'pfann', 'not gusseis'],
    ['teuerste Decke', 'deck', 'highestPrice'],
  ],
  fr: [
    ["l'écharpe", 'echarp'],
    ['les gants les moins chers', 'gant', 'lowestPrice'],
    ['gants sans cuir', 'gant', 'not cuir'],
    ['gants pas en cuir', 'gant', 'not cuir'],
    ['veste moins de 50 €', 'vest', '..50 EUR'],
    ["casserole jusqu'à 1 500 euros", 'casserol', '..1500 EUR'],
    ['sac entre 20 et 40 euros', 'sac', '20..40 EUR'],
    ['gourde d’au moins 1,5 litre', 'gourd', '1500.. ml'],
    ['chaussures de randonnée disponibles', 'chaussur randon', 'available'],
    ['pâtes sans gluten ni œufs', 'pat', 'not gluten', 'not oeuv'],
    ['perceuse sans fil', 'perceu fil'],
    ['pantalon taille M', 'pantalon m'],
    ['veste en L', 'vest l'],
    ['batterie de 10 000 mAh', 'batteri 10000mah'],
    ['lot de 6 500 g', 'lot 6 500g'],
    ['couteau à moins de quatre-vingts euros', 'couteau', '..80 EUR'],
    ["gants autres qu'en cuir", 'gant', 'not cuir'],
    ["tasse plutôt qu'un mug", 'tas', 'not mug'],
    ['biscuits sans sucres ajoutés', 'biscuit', 'not sucr'],
    ['bonnet pas cher', 'bonnet'],
    ['imperméables', 'impermeabl'],
    ['imperméabiliser', 'impermeabilis'],
    ['chaussettes fines', 'chausset fin'],
    ['fini', 'fini'],
    ['blanche, blanc et légères, léger', 'blanc leg'],
    ['je cherche des manteaux pour ma mère', 'manteau mer'],
  ],
  es: [
    ['guantes que no sean de cuero', 'guant', 'not cuer'],
    ['olla por menos de 50 euros', 'olla', '..50 EUR'],
    ['mochila hasta 1.200,50 €', 'mochil', '..1200.5 EUR'],
    ['botella de al menos 1,5 litros', 'botell', '1500.. ml'],
    ['zapatos sin cordones disponibles', 'zapat', 'available', 'not cordon'],
    ['luces y lápices', 'luz lapiz'],
    ['camiseta talla M', 'camiset m'],
    ['cuchillo por menos de cincuenta euros', 'cuchill', '..50 EUR'],
    ['cuchillo máx. 30€', 'cuchill', '..30 EUR'],
    ['el cuchillo más barato', 'cuchill', 'lowestPrice'],
    ['la cafetera más nueva', 'cafeter', 'newest'],
    ['taza en vez de vaso', 'taz', 'not vas'],
    ['turrón sin azúcares añadidos', 'turron', 'not azucar'],
  ],
  it: [
    ['guanti non in pelle', 'guant', 'not pell'],
    ['pentola sotto i 50 euro', 'pentol', '..50 EUR'],
    ['zaino tra 20 e 40 euro', 'zain', '20..40 EUR'],
    ['borraccia da almeno 1,5 litri', 'borracc', '1500.. ml'],
    ["l'asciugamano disponibile subito", 'asciugaman', 'available'],
    ['bicchieri e forchette', 'bicchier forchett'],
    ['maglietta taglia L', 'magliett l'],
    ['coltello sotto i cinquanta euro', 'coltell', '..50 EUR'],
    ['il coltello più economico', 'coltell', 'lowestPrice'],
    ['i guanti più costosi', 'guant', 'highestPrice'],
    ['tazza invece di bicchiere', 'tazz', 'not bicchier'],
  ],
  nl: [
    ['handschoenen niet van leer', 'handschoen', 'not ler'],
    ['pan onder de 50 euro', 'pan', '..50 EUR'],
    ['rugzak tussen 20 en 40 euro', 'rugzak', '20..40 EUR'],
    ['fles van minstens 1,5 liter op voorraad', 'fles', '1500.. ml', 'available'],
    ['pannen en glazen', 'pan glas'],
    ['schoenen maat 42', 'schoen 42'],
    ['deken tot vijftig euro', 'deken', '..50 EUR'],
    ['de goedkoopste dekens', 'deken', 'lowestPrice'],
    ['leverbare messen', 'mes', 'available'],
    ['glutenvrije koekjes', 'koek', 'not glut'],
    ['mok in plaats van beker', 'mok', 'not beker'],
  ],
  pl: [
    ['garnek do 200 zł', 'garnek', '..200 PLN'],
    ['rękawiczki bez skóry', 'rekawiczk', 'not skor'],
    ['czerwone plecaki', 'czerwon plecak'],
  ],
  cs: [
    ['nože do 500 Kč', 'noz', '..500 CZK'],
    ['rukavice bez kůže', 'rukavic', 'not kuz'],
    ['nejlevnější batohy', 'batoh', 'lowestPrice'],
  ],
  ru: [
    ['чайник до 15000 рублей', 'чайник', '..15000 RUB'],
    ['красные куртки', 'красн куртк'],
  ],
  pt: [['panelas até 50 euros', 'panel', '..50 EUR']],
  sv: [['kastruller under 500 kr', 'kastrull', '..500 SEK']],
  da: [['gryder under 500 kr', 'gryd', '..500 DKK']],
  'nb-NO': [['gryter under 500 kr', 'gryt', '..500 NOK']],
  fi: [['kattilat alle 50 euroa', 'kattil', '..50 EUR']],
  tr: [
    ['500 TL altı ayakkabılar', 'ayakkabi', '..500 TRY'],
    ['deri olmayan eldiven', 'eldiven', 'not deri'],
  ],
  ja: [
    ['防水の登山靴を探しています', '防水 登山 靴'],
    ['5000円以下のリュック', 'リュック', '..5000 JPY'],
    ['黒の革ではない手袋', '黒 手袋', 'not 革'],
  ],
  zh: [
    ['我想买防水登山鞋', '防水 登山鞋'],
    ['低于500元的登山鞋', '登山鞋', '..500 CNY'],
    ['不是皮的手套', '手套', 'not 皮'],
  ],
  th: [
    ['รองเท้ากันน้ำ', 'รองเท้า กัน น้ํา'],
    ['ถุงมือไม่ใช่หนัง', 'ถุงมือ', 'not หนัง'],
  ],
};

for (const [code, rows] of Object.entries(TABLES)) {
  describe(`a question in ${code} says what is wanted and on which conditions`, () => {
    test.each(rows.map(([question, ...expected]) => [question, expected] as const))(
      '%s',
      (question, [terms, ...constraints]) => {
        const parsed = parseQuestion(question, languageOf(code));
        expect([parsed.terms.join(' '), ...parsed.constraints.map(short)]).toEqual([
          terms!,
          ...constraints,
        ]);
      },
    );
  });
}

/** Forms of one word, by language. */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  de: ['Tasse Tassen', 'Dose Dosen', 'Hose Hosen', 'Hut Hüte'],
  fr: [
    'cheval chevaux',
    'gâteau gâteaux',
    'tuyau tuyaux',
    'gris grise grises',
    'laver lavez lavée',
  ],
  es: ['taza tazas', 'bota botas', 'luz luces', 'rojo roja rojos'],
  it: ['tazza tazze', 'bianco bianca bianchi bianche'],
  nl: [
    'doos dozen',
    'vaas vazen',
    'tas tassen',
    'mes messen',
    'pan pannen',
    'muts mutsen',
    'fiets fietsen',
    'kaars kaarsen',
    'laars laarzen',
  ],
  pt: ['bota botas', 'faca facas', 'luva luvas'],
  sv: ['byxa byxor', 'bil bilar bilen', 'väska väskor'],
  da: ['bukse bukser', 'taske tasker', 'kniv knive'],
  no: ['bukse bukser', 'veske vesker', 'kniv kniver'],
  ru: ['нож ножи ножей', 'сумка сумки', 'красный красная красные'],
  cs: ['batoh batohy', 'kožený kožené koženou'],
  fi: ['muki mukit', 'takki takit', 'kattila kattilat'],
  pl: ['nóż noże noży', 'torba torby'],
  tr: ['çanta çantalar', 'bıçak bıçaklar'],
};

describe.each(Object.entries(FORMS))('forms of one word are one term in %s', (code, rows) => {
  test.each(rows)('%s', (forms) => {
    const terms = forms.split(' ').map((form) => languageOf(code).termOf(form));
    expect(new Set(terms).size).toBe(1);
  });
});

test.each([
  ['en', 'wood', 'wooden'],
  ['de', 'Leder', 'ledern'],
  ['nl', 'leer', 'lederen'],
  ['pl', 'skóra', 'skórzane'],
  ['ru', 'кожа', 'кожаные'],
])('what is not of a material is not what its adjective says in %s: %s, %s', (code, one, other) => {
  const language = languageOf(code);
  const terms = [language.termOf(one)];
  const otherForms = terms.map((term) => language.otherFormsOf(term));
  const excluded = { kind: 'exclude', text: one, terms, otherForms } as const;
  const [, group] = exclusionGroups(excluded, new Map());
  expect(group!.alternatives).toContain(language.termOf(other));
  expect(language.otherFormsOf(language.termOf(other))).toContain(terms[0]!);
});

test.each([
  ['ja', 'リュック', 'リュックサック'],
  ['zh', '毯子', '羊毛毯'],
  ['pl', 'rękawiczki', 'rękawice'],
])('names of one thing replace each other in %s: %s, %s', (code, one, other) => {
  const language = languageOf(code);
  expect(language.synonymsOf(language.termsOf(one))[0]).toContain(language.termsOf(other)[0]!);
});

test.each([
  ['en', 'mugs between twenty and forty dollars', '20..40 USD'],
  ['en', 'rug under a hundred', '..100 money'],
])('amounts in words are amounts in %s: %s', (code, question, expected) => {
  expect(parseQuestion(question, languageOf(code)).constraints.map(short)).toEqual([expected]);
});

test.each([
  ['de', 'Leder', 'LED'],
  ['de', 'Bären', 'Bar'],
  ['sv', 'läder', 'lada'],
  ['de', 'Wolle', 'wollen'],
  ['fr', 'fine', 'fini'],
  ['fr', 'imperméable', 'imperméabiliser'],
])('different words stay different terms in %s: %s, %s', (code, one, other) => {
  expect(languageOf(code).termOf(one)).not.toBe(languageOf(code).termOf(other));
});

test.each([
  ['de', 'Wie kann ich etwas umtauschen?'],
  ['de-AT', 'Was kostet euer Versand?'],
  ['fr', 'Comment retourner un article à votre boutique ?'],
  ['de', 'Wann kommt mein Paket?'],
  ['fr', "Horaires d'ouverture"],
  ['fr-CA', 'Livrez-vous en Belgique ?'],
  ['es', '¿Tenéis tienda física?'],
  ['es', 'horario de la tienda'],
  ['it', 'posso restituirlo?'],
  ['nl', 'openingstijden winkel'],
])('a question about the shop is one in %s: %s', (locale, question) => {
  expect(parseQuestion(question, languageOf(locale)).asksShop).toBe(true);
});

test('a question to shops of two languages is read in its own and matches the words of both', () => {
  const languages = [languageOf('en'), languageOf('de')] as const;
  const german = parseQuestionIn('Ich suche Handschuhe unter 50 Euro', [...languages]);
  expect([german.language.code, german.terms, german.constraints.map(short)]).toEqual([
    ...['de', ['handschuh'], ['..50 EUR']],
  ]);
  expect(german.otherTerms.get('handschuh')).toEqual(['handschuhe']);
  const english = parseQuestionIn('gloves for under 50', [...languages]);
  expect([english.language.code, english.terms]).toEqual(['en', ['glove']]);
});

test('a language that is not known has its words as they are, and prices by their symbols', () => {
  const { terms, constraints } = parseQuestion('Piros bögrék max 50 €', languageOf('hu'));
  expect([terms, constraints.map(short)]).toEqual([['piros', 'bogrek'], ['..50 EUR']]);
});
