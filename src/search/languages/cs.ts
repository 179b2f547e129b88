import { ANY } from './any.ts';
import type { LanguageWords } from './language-words.ts';

/** Czech, at the level of words. Snowball has no Czech stemmer: these are the endings of Dolamic & Savoy (2009). */
export const CZECH: LanguageWords = {
  ...ANY,
  code: 'cs',
  analysis: {
    ...ANY.analysis,
    decimal: ',',
    endings: `
      atech -, etem -, atum -, ech -, ich -, eho -, emi -, emu -, ete -, eti -, iho -, imi -, imu -, ach -, ata -, aty -, ych -,
      ama -, ami -, ove -, ovi -, ymi -, em -, im -, um -, am -, ym -, mi -, ou -, e -, i -, u -, y -, a -, o -`,
    irregularPlurals: `
      nůž nože, hrnec hrnce, hrnek hrnky, dárek dárky, stůl stoly, kůň koně, dům domy, ubrousek ubrousky, šálek šálky, ručník
      ručníky, batůžek batůžky, pánev pánve, láhev láhve, svetr svetry`,
    materials: `
      kůže, kožený, kožená, kožené
      vlna, vlněný, vlněná, vlněné
      bavlna, bavlněný, bavlněná, bavlněné
      dřevo, dřevěný, dřevěná, dřevěné
      len, lněný, lněná, lněné
      sklo, skleněný, skleněná, skleněné
      kov, kovový, kovová, kovové
      plast, plastový, plastová, plastové`,
    units: {
      cm: 'centimetr, centimetry, centimetrů',
      l: 'litr, litry, litrů',
      g: 'gram, gramy, gramů',
      kg: 'kilo, kila, kilogram',
      in: 'palec, palce, palců',
    },
    freeBefore: 'bez',
  },
  question: {
    ...ANY.question,
    stopWords: `
      hledám hledáme chci chtěl chtěla bych potřebuji potřebujeme prosím koupit najít je jsou máte mám má co jak jaký jaká jaké
      nějaký nějaká nějaké kde kdy kolik kdo pro do na v ve s se z ze i a nebo či o od po za při pod nad před ten ta to ty
      můj moje mi mě nám vám jeho její jejich být by velmi také jen něco ahoj dobrý den děkuji doporučíte dobrou`,
    synonyms: `
      batoh, ruksak
      hrnek, šálek
      bunda, kabát
      boty, obuv
      deka, přikrývka
      telefon, mobil, smartphone
      televize, televizor, tv
      lednice, chladnička
      pohovka, gauč, sedačka`,
    headEnds: 'pro, do, na, s, se, bez, od, z, ze, v, ve',
  },
  constraints: {
    ...ANY.constraints,
    orders: {
      lowestPrice: 'nejlevnější, nejlevněji, nejnižší cena',
      highestPrice: 'nejdražší',
      newest: 'nejnovější, novinky',
    },
    currencies: { CZK: 'kč, kc, korun, koruny, czk', EUR: 'euro, eura, eur' },
    counted: 'osob, osoby, kusů, kusy, ks, minut, hodin, dní, let, měsíců, stupňů',
    upper:
      'do, pod, méně než, levnější než, ne více než, maximálně, max, max., nejvýše, ne dražší než',
    lower: 'od, nad, více než, alespoň, nejméně, minimálně, min, min.',
    around: 'kolem, přibližně, asi, okolo, cca',
    between: { from: 'mezi', to: 'a' },
    fromTo: { from: 'od', to: 'do' },
    available: 'skladem, na skladě, dostupný, dostupná, dostupné',
    availableNotAfter: 'ne, není, kdy',
    negations: 'bez, ne z, ne ze, ne, kromě, ale ne, jen ne',
    negationFillers: 'z, ze',
    or: 'nebo, ani, a, či',
    noThings: 'moc příliš za tak drahé drahý drahá',
    endThings: 'pro do na s se bez od v ve pod a nebo ani ale',
  },
  items: { ...ANY.items, nameHeadEnds: 'pro, do, na, s, se, bez, od, z, ze, v, ve' },
};
