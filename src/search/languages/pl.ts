import { ANY } from './any.ts';
import type { LanguageWords } from './language-words.ts';

/** Polish, at the level of words. Snowball has no Polish stemmer: these endings are of nouns and adjectives. */
export const POLISH: LanguageWords = {
  ...ANY,
  code: 'pl',
  analysis: {
    ...ANY.analysis,
    materials: `
      skóra, skórzany, skórzana, skórzane
      wełna, wełniany, wełniana, wełniane
      drewno, drewniany, drewniana, drewniane
      bawełna, bawełniany, bawełniana, bawełniane
      len, lniany, lniana, lniane
      jedwab, jedwabny, jedwabna, jedwabne
      metal, metalowy, metalowa, metalowe
      szkło, szklany, szklana, szklane
      guma, gumowy, gumowa, gumowe
      srebro, srebrny, srebrna, srebrne
      złoto, złotego, złota`,
    decimal: ',',
    endings: `
      iejszych -, iejszego -, iejsza -, iejszy -, iejsze -, owego -, owych -, owymi -, owym -, owej -, owa -, owe -, owy -, iego -,
      iemu -, iami -, iach -, iami -, ego -, emu -, ych -, ich -, ymi -, imi -, ami -, ach -, iej -, iom -, iow -, ow -, om -, ej -,
      ym -, im -, ia -, ie -, io -, iu -, a -, e -, i -, o -, u -, y -`,
    irregularPlurals:
      'pies psy, dzień dni, ręka ręce, oko oczy, ucho uszy, przyjaciel przyjaciele, but buty',
    units: {
      cm: 'centymetr, centymetry, centymetrów',
      l: 'litr, litry, litrów, litra',
      g: 'gram, gramy, gramów',
      in: 'cal, cale, cali',
    },
    freeBefore: 'bez',
  },
  question: {
    ...ANY.question,
    stopWords: `
      szukam szukamy chcę chciałbym chciałabym potrzebuję potrzebujemy proszę poproszę kupić znaleźć jest są czy co jak jaki jaka
      jakie jakiś jakaś jakieś gdzie kiedy ile kto dla do na w we z ze i oraz a albo lub o u od po za przy pod nad przed się to ten
      ta te tego tej mój moja moje mnie mi mam macie masz nas was nam wam jego jej ich go by być bardzo też tylko coś cześć dzień
      dobry dziękuję polecacie polećcie dobrego`,
    synonyms: `
      rękawiczki, rękawice
      kurtka, płaszcz
      plecak, tornister
      kubek, filiżanka
      koc, pled
      garnek, rondel
      telefon, smartfon, komórka
      telewizor, tv
      lodówka, chłodziarka
      sofa, kanapa, tapczan
      dywan, wykładzina
      czapka, beret
      buty, obuwie`,
    headEnds: 'dla, do, z, ze, na, bez, od, w, pod',
  },
  constraints: {
    ...ANY.constraints,
    orders: {
      lowestPrice: `
        najtańszy, najtańsza, najtańsze, najtaniej, najniższa cena`,
      highestPrice: `
        najdroższy, najdroższa, najdroższe`,
      newest: `
        najnowszy, najnowsza, najnowsze, nowości`,
    },
    currencies: {
      PLN: 'zł, zl, złoty, złote, złotych, zlotych',
      EUR: 'euro',
      USD: 'dolar, dolary, dolarów',
    },
    counted: 'osób, osoby, osoba, sztuk, szt, minut, godzin, dni, lat, miesięcy, stopni',
    upper:
      'do, poniżej, ponizej, mniej niż, taniej niż, tańsze niż, nie więcej niż, maksymalnie, max, max., najwyżej, nie droższe niż',
    lower: 'od, powyżej, powyzej, ponad, więcej niż, co najmniej, minimum, min, min.',
    around: 'około, okolo, ok., mniej więcej',
    between: { from: 'między, pomiędzy', to: 'a, i' },
    fromTo: { from: 'od', to: 'do' },
    available: 'dostępny, dostępna, dostępne, w magazynie, na stanie',
    availableNotAfter: 'nie, kiedy',
    negations: 'bez, nie z, nie ze, nie, oprócz, poza, ale nie, tylko nie',
    negationFillers: 'z, ze',
    or: 'lub, albo, i, ani',
    noThings: 'bardzo zbyt za tak drogi drogie droga',
    endThings: 'dla do z ze na bez od w pod i lub albo',
  },
  items: { ...ANY.items, nameHeadEnds: 'dla, do, z, ze, na, bez, od, w, pod' },
};
