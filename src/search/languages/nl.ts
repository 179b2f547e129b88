import { ANY } from './any.ts';
import type { LanguageWords } from './language-words.ts';

/** Dutch, of the Netherlands and of Flanders. */
export const DUTCH: LanguageWords = {
  code: 'nl',
  analysis: {
    ...ANY.analysis,
    compoundHeads:
      'pan mes jas tas bed pet mok pot bal bus zak vat kop mat sok doos vaas muts laars kaars fiets',
    materials: `
      leer, leren, lederen, leder
      wol, wollen
      hout, houten
      katoen, katoenen
      linnen, linnenen
      goud, gouden
      zilver, zilveren
      koper, koperen
      zink, zinken
      suiker, gesuikerd`,
    decimal: ',',
    stemmer: 'nl',
    unstemmed: 'deken kussen laken oven wagen keuken haven molen toren',
    // Snowball takes the s of `fiets` for an ending.
    endings:
      'je -, jes -, eltje el, eltjes el, ertje er, ertjes er, tsen t, ksen k, psen p, rsen r, rzen r, nsen n, nzen n, lsen l, lzen l',
    stemEndings: `
      bb b, dd d, ff f, gg g, kk k, ll l, mm m, nn n, pp p, rr r, ss s, tt t, z s, v f, boter boter`,
    compounds: 'all',
    solidWords:
      'handschoen praktisch automatisch elastisch natuur temperatuur reparatie fietspomp aardappel trompet carpet',
    apostropheEndings: 's',
    units: {
      mm: 'millimeter',
      cm: 'centimeter',
      m: 'meter',
      km: 'kilometer',
      in: 'inch, duim',
      ft: 'voet',
      ml: 'milliliter',
      cl: 'centiliter',
      dl: 'deciliter',
      l: 'liter, ltr',
      mg: 'milligram',
      g: 'gram, gr',
      kg: 'kilo, kilogram',
      gb: 'gigabyte',
      tb: 'terabyte',
      w: 'watt',
      kw: 'kilowatt',
      v: 'volt',
      lm: 'lumen',
      db: 'decibel',
    },
    times: 'bij, op',
    freeEndings: 'vrij, vrije, -vrij, -vrije, loos, loze',
    freeWords: 'vrij',
    freeBefore: 'zonder, geen, vrij van',
    freeBetween: 'enige, toegevoegde',
    irregularPlurals:
      'schip schepen, stad steden, lid leden, kind kinderen, ei eieren, blad bladeren, rad raderen, rund runderen',
  },
  question: {
    ...ANY.question,
    stopWords: `
      ik zoek zoeken zoekt wil willen wij we zou zouden graag heb hebben hebt heeft nodig een de het die dat dit deze
      des der den en of voor met van om te uit bij naar in op aan is zijn ben er wat welke welk hoe waar wanneer
      waarom wie mijn m'n jouw je jullie u uw ons onze hun haar mij me jou kan kun kunnen kunt mag moet moeten iets
      ook maar nog zo heel erg als dan wel hallo hoi goedemorgen dag bedankt dank alsjeblieft alstublieft aanraden
      verkopen verkoopt kopen koop vinden vind laat zien toon geef geschikt niet geen zonder tussen minstens maximaal
      hoogstens maat vervangen`,
    people: `
      moeder mama vader papa ouders oma opa grootmoeder grootvader vrouw man vriendin vriend partner zus broer dochter zoon kind kinderen
      baby peuter kleuter tiener leraar lerares student beginner collega baas buurman buurvrouw gast gasten stel liefhebber fan`,
    synonyms: `
      bank, sofa, zitbank
      stoel, zetel, fauteuil
      broek, pantalon
      sneakers, gympen, sportschoenen
      mobiel, smartphone, gsm, telefoon
      televisie, tv, tv-toestel
      koelkast, ijskast, frigo
      stofzuiger, zuiger
      trui, sweater, pullover
      hoodie, capuchontrui
      zaklamp, lantaarn
      rugzak, rugtas
      koffer, trolley
      tas, handtas
      portemonnee, portefeuille
      kinderwagen, buggy
      dekbed, donsdeken
      kussen, hoofdkussen
      gordijn, overgordijn
      deken, plaid
      handdoek, badlaken
      theedoek, vaatdoek
      waterkoker, fluitketel
      pan, kookpan
      braadpan, stoofpan
      koekenpan, bakpan
      beker, mok, kop
      bestek, eetgerei
      snijplank, hakbord
      vuilnisbak, prullenbak
      wasmachine, wasautomaat
      vaatwasser, afwasmachine
      droger, wasdroger
      lamp, verlichting
      peertje, gloeilamp
      bureau, schrijftafel
      kast, kledingkast
      kleed, tapijt, vloerkleed
      jas, jack, mantel
      regenjas, regenjack
      overhemd, hemd
      muts, pet
      sjaal, das
      handschoen, want
      laars, bottine
      pantoffel, slof
      koptelefoon, hoofdtelefoon, oordopjes
      luidspreker, speaker, box
      laptop, notebook
      beeldscherm, monitor
      oplader, lader
      batterij, accu
      kabel, snoer
      fiets, rijwiel
      tent, koepeltent
      drinkfles, waterfles
      boormachine, boor
      cadeau, geschenk, kado
      cadeaubon, waardebon
      bio, biologisch
      draadloos, snoerloos
      waterdicht, waterproof
      retour, teruggave
      verzending, levering, bezorging`,
    compoundEndings: 'en, s, e',
    compoundJoints: 's, e, en, er',
    vagueWords: 'cadeau cadeaus cadeautje geschenk kado idee ideeën verrassing',
    headEnds:
      'mijn, ons, onze, voor, met, van, zonder, om, uit, in, op, tegen, passend, geschikt, onder',
    shopTopics: `
      verzending verzenden versturen levering leveren bezorgen bezorging levertijd retour retourneren terugsturen ruilen omruilen
      terugbetaling garantie betaling betalen betaalwijze factuur bestelling annuleren pakket verzendkosten openingstijden privacy
      klacht herroeping`,
    policyWords: `
      voorwaarden beleid informatie info regels faq winkel achteraf`,
    shopQuestions: [
      {
        begins: `
          hoe, kan, kun, kunnen, mag, wanneer, waar, wat, wie, waarom, welke, hebben, leveren, levert, bezorgen, verzenden, versturen,
          bieden, accepteren, moet, krijg, hoeveel`,
        about: `
          ik, we, wij, jullie, je, u, uw, men, verzending, levering, bezorging, retour, retourneren, ruilen, garantie, winkel,
          verzendkosten, bestelling`,
      },
    ],
  },
  constraints: {
    ...ANY.constraints,
    currencies: { EUR: "euro, euro's, eurootjes", USD: 'dollar', GBP: 'pond' },
    numbers: `
      tien 10, vijftien 15, twintig 20, vijfentwintig 25, dertig 30, veertig 40, vijftig 50, zestig 60, zeventig 70, tachtig
      80, negentig 90, honderd 100, honderdvijftig 150, tweehonderd 200, driehonderd 300, vijfhonderd 500, duizend 1000`,
    counted: `
      persoon, personen, mensen, stuks, stuk, delen, minuut, minuten, min, uur, uren, dag, dagen, week, weken, maand,
      maanden, jaar, jaren, graden, pagina's, spelers, keer, kinderen, kopjes, porties, sneetjes, ster, sterren`,
    upper: `
      onder de, onder, tot, tot en met, minder dan, voor minder dan, goedkoper dan, niet meer dan, niet duurder dan,
      hoogstens, hooguit, maximaal, max, max., ten hoogste, kleiner dan, beneden de, binnen, budget, budget van,
      met een budget van`,
    lower: `
      boven de, boven, meer dan, minstens, minimaal, min, min., tenminste, ten minste, vanaf, groter dan, duurder dan, niet minder dan`,
    around: 'ongeveer, circa, ca, ca., rond de, rond, zo’n, om en nabij, plusminus',
    upperBehind: 'of minder, of goedkoper, maximaal, max, max., hoogstens',
    lowerBehind: 'of meer, en meer, minimaal, minstens, min, min., of groter',
    between: { from: 'tussen, tussen de', to: 'en, en de, tot' },
    fromTo: { from: 'van', to: 'tot, tot en met' },
    orders: {
      lowestPrice: `
        goedkoopste, de goedkoopste, het goedkoopste, voordeligste, laagste prijs, beste prijs, de laagste prijs, de beste
        prijs`,
      highestPrice: `
        duurste, de duurste, het duurste`,
      newest: `
        nieuwste, de nieuwste, het nieuwste, nieuw binnen`,
    },
    available: `
      op voorraad, voorradig, leverbaar, direct leverbaar, meteen leverbaar, beschikbaar, direct beschikbaar,
      uit voorraad leverbaar, die op voorraad zijn, dat op voorraad is, leverbare, direct leverbare, beschikbare`,
    availableNotAfter: 'niet, weer, wanneer, opnieuw',
    negations: `
      zonder, geen, niet, niet van, behalve, uitgezonderd, maar geen, maar niet, maar niet van, vrij van, in plaats van, anders dan,
      allergisch voor, wil geen, hou niet van`,
    negationFillers: 'van, met, in, uit, een, de, het, enige, toegevoegde, elke',
    or: 'of, en, noch',
    negationsRepeated: 'zonder, geen, niet',
    noThings: `
      te zo heel erg zeker alleen net meer minder duur dure groot klein veel echt per probleem idee werkt nodig weten wil hebben heb vinden
      kapot moeilijk goed slecht langer inbegrepen`,
    endThings: `
      voor met onder boven op in aan bij van uit en of die dat als maar dan tussen om meer minder tot alsjeblieft alstublieft is zijn heeft`,
  },
  items: {
    ...ANY.items,
    denied: 'false no none n/a nee geen niet zonder',
    nameHeadEnds: 'voor, met, van, zonder, in, uit, op, geschikt, passend, vanaf, onder',
    colours: `
      antraciet beige blauw blauwe bordeaux bruin bruine brons crème donkerblauw donkergroen fuchsia geel gele goud gouden grijs grijze groen
      groene kaki koper lichtblauw lichtgrijs lila marine mint naturel olijf oranje paars paarse petrol roest rood rode roze taupe transparant
      turkoois wit witte zand zilver zwart zwarte`,
    forms: 'set pak verpakking stuks stuk paar bundel delig origineel multipack duopack',
    accessories: `
      accessoire accu adapter batterij deksel dop etui filter handvat hoes houder kabel lader oplader onderdeel standaard tas
      toebehoren vervanging`,
    clothesSizes: `
      s, klein
      m, medium, middel
      l, groot
      xl, extra groot
      xxl, 2xl
      xxxl, 3xl`,
    optionWords: 'maat kleur variant uitvoering model',
  },
};
