import { ANY } from './any.ts';
import type { LanguageWords } from './language-words.ts';

/** German, also as it is written in Austria and Switzerland. */
export const GERMAN: LanguageWords = {
  code: 'de',
  analysis: {
    ...ANY.analysis,
    compoundHeads: 'hut uhr rad tee bad vase dose hose lupe düse säge tüte tube',
    materials: `
      leder, ledern
      holz, hölzern, hölzerne
      wolle, wollen, wollene
      beschichtung, beschichtet, beschichtete
      gold, golden, goldene
      silber, silbern, silberne
      kabel, verkabelt, kabelgebunden
      duft, parfümiert, parfüm`,
    decimal: ',',
    stemmer: 'de',
    unstemmed: 'leder bären',
    isTranscribed: true,
    compounds: 'capitalized',
    solidWords: `
      handschuh baumwolle praktisch automatisch elastisch optisch akustisch magnetisch kosmetisch synthetisch ästhetisch fantastisch
      plastisch romantisch exotisch robotisch temperatur reparatur struktur kultur armatur natur glasur durchmesser
      fernglas fahrstuhl rollstuhl spielzeug werkzeug feuerzeug flugzeug fahrzeug zahnrad fahrrad motorrad bleistift
      augenlid kronleuchter meerrettich ohrfeige eichhorn fledermaus schmetterling seehund kaffee komitee allee kamerad`,
    units: {
      mm: 'millimeter, millimetern',
      cm: 'zentimeter, zentimetern',
      m: 'meter, metern',
      km: 'kilometer, kilometern',
      in: 'zoll',
      ml: 'milliliter',
      cl: 'zentiliter',
      dl: 'deziliter',
      l: 'liter, litern, ltr',
      mg: 'milligramm',
      g: 'gramm, gr',
      kg: 'kilo, kilogramm',
      mb: 'megabyte',
      gb: 'gigabyte',
      tb: 'terabyte',
      w: 'watt',
      kw: 'kilowatt',
      v: 'volt',
      amp: 'ampere',
      hz: 'hertz',
      mp: 'megapixel',
      lm: 'lumen',
      nm: 'newtonmeter',
      db: 'dezibel',
    },
    times: 'mal, auf',
    freeEndings:
      'frei, freie, freier, freien, freies, freiem, -frei, -freie, los, lose, loser, losen, loses',
    freeWords: 'frei',
    freeBefore: `
      ohne, kein, keine, keinen, frei von`,
    freeBetween: 'jede, jeden, jegliche, zugesetzten, zugesetzte',
    irregularPlurals: `
      uhr uhren, hut hüte, öl öle, ei eier, rad räder, tor tore, kuh kühe, ohr ohren, zeh zehen, axt äxte,
      sofa sofas, museum museen`,
  },
  question: {
    ...ANY.question,
    stopWords: `
      ich suche such gesucht wir brauche brauchen bräuchte möchte möchten hätte hätten gerne gern will wollen ein eine
      einen einem einer eines der die das den dem des und oder für fürs mit von vom zu zum zur im in ins am an auf ist
      sind war gibt es haben habt hat habe sie ihr ihre euer eure euch uns mir mich mein meine meinen meinem meiner
      dich dein deine deinen bitte welche welcher welches welchen was wie wo wann wer warum aus bei nach kann können
      könnt man da dazu dafür etwas irgendwas als auch nur noch so sehr wenn ob dass damit sich sein seine seinen wird
      werden soll sollte sollten passt passend passende passendes zeig zeige zeigen hallo danke guten tag morgen moin
      empfehlen empfiehlst nicht kein keine ohne zwischen mindestens höchstens maximal du bieten verkauft verkaufen
      kaufen kauf finden finde über um durch gegen unter aber budget größe groesse gr ersetzen`,
    people: `
      mutter mama vater papa eltern oma opa großmutter großvater frau mann freundin freund partner partnerin schwester
      bruder tochter sohn kind kinder baby kleinkind lehrer lehrerin student studentin anfänger anfängerin kollege
      kollegin chef chefin nachbar nachbarin gast gäste paar liebhaber fan hobbykoch`,
    synonyms: `
      sofa, couch
      sessel, fauteuil
      hose, hosen, beinkleid
      turnschuh, sneaker, sportschuh
      smartphone, handy, mobiltelefon
      fernseher, tv, fernsehgerät
      kühlschrank, eisschrank
      pullover, pulli, sweater, strickpullover
      kapuzenpullover, hoodie
      taschenlampe, handlampe
      stirnlampe, kopflampe
      rucksack, backpack
      koffer, trolley
      handtasche, umhängetasche
      geldbörse, portemonnaie, geldbeutel, brieftasche
      kinderwagen, buggy
      bettdecke, steppdecke, oberbett
      kissen, polster
      vorhang, gardine
      decke, plaid, überwurf
      handtuch, frottiertuch
      geschirrtuch, trockentuch, küchentuch
      wasserkocher, teekessel
      topf, kasserolle
      bräter, schmortopf
      pfanne, bratpfanne
      becher, tasse, pott
      teller, speiseteller
      besteck, tafelbesteck
      schneidebrett, schneidbrett, küchenbrett
      mülleimer, abfalleimer
      dosenöffner, büchsenöffner
      waschmaschine, waschautomat
      trockner, wäschetrockner
      geschirrspüler, spülmaschine
      lampe, leuchte
      glühbirne, leuchtmittel, birne
      schreibtisch, arbeitstisch
      kleiderschrank, schrank
      regal, bord
      teppich, läufer
      jacke, anorak
      hemd, oberhemd
      mütze, haube
      schal, halstuch
      handschuh, fäustling
      schuh, latschen
      stiefel, boots
      hausschuh, pantoffel
      schürze, kochschürze
      kopfhörer, headset
      lautsprecher, box
      laptop, notebook
      bildschirm, monitor
      ladegerät, ladekabel
      akku, batterie
      kabel, leitung
      fahrrad, rad, velo
      zelt, wanderzelt
      trinkflasche, wasserflasche
      bohrmaschine, akkubohrer
      schraubendreher, schraubenzieher
      besen, kehrbesen
      gutschein, geschenkgutschein
      geschenk, präsent, mitbringsel
      kaffeemühle, mahlwerk
      espressokocher, mokkakanne
      waage, küchenwaage
      nudelholz, teigrolle, rollholz
      backform, kuchenform
      vorratsglas, einmachglas
      brotkasten, brotbox
      bettwäsche, bettbezug
      weihnachten, christmas
      bio, biologisch, ökologisch
      kabellos, schnurlos, drahtlos
      wasserdicht, wasserfest
      umtausch, rückgabe, rücksendung, retoure
      versand, lieferung, zustellung
      preiswert, günstig, billig`,
    compoundEndings: 'en, er, e, n, s',
    compoundJoints: 's, es, n, en, er, e, ens',
    vagueWords: 'geschenk geschenke präsent mitbringsel geschenkidee geschenkideen überraschung',
    headEnds:
      'mein, meine, meinen, meinem, meiner, unser, unsere, unseren, unserem, unserer, für, fürs, mit, aus, von, vom, zum, zur, ohne, gegen, auf, passend, in, im, unter, bis',
    shopTopics: `
      versand versenden verschicken lieferung liefern lieferzeit rückgabe rücksendung retoure zurückgeben zurücksenden umtausch
      umtauschen widerruf widerrufen garantie gewährleistung zahlung bezahlen zahlungsart rechnung rate erstattung stornieren
      storno bestellung paket porto versandkosten öffnungszeiten datenschutz impressum gutschein beschwerde`,
    policyWords:
      'bedingungen bestimmungen infos information informationen regeln richtlinie agb faq',
    shopQuestions: [
      {
        begins: `
          wie, kann, können, könnt, darf, dürfen, wann, wo, muss, müssen, was, gibt, habt, haben, liefert, liefern,
          versendet, verschickt, bietet, bieten, nehmt, nehmen, wer, warum, wohin, welche, bekomme, bekommt`,
        about: `
          ich, wir, man, ihr, sie, mein, meine, meinen, paket, euer, eure, eurem, euren, ihre, ihrem, ihren, es, der, die, versand, lieferung,
          rückgabe, umtausch, garantie, laden`,
      },
    ],
  },
  constraints: {
    ...ANY.constraints,
    currencies: { EUR: 'euro, euros', CHF: 'franken, fr., sfr', USD: 'dollar', GBP: 'pfund' },
    numbers: `
      zehn 10, fünfzehn 15, zwanzig 20, fünfundzwanzig 25, dreißig 30, vierzig 40, fünfzig 50, sechzig 60, siebzig 70,
      achtzig 80, neunzig 90, hundert 100, einhundert 100, hundertfünfzig 150, zweihundert 200, dreihundert 300,
      fünfhundert 500, tausend 1000`,
    counted: `
      person, personen, leute, stück, stk, teile, minute, minuten, min, stunde, stunden, std, tag, tage, tagen, woche,
      wochen, monat, monate, monaten, jahr, jahre, jahren, grad, seiten, spieler, kinder, gäste, tassen, portionen,
      scheiben, plätze, sitze, mal, gänge, umdrehungen, stern, sterne, sternen`,
    upper: `
      unter, bis, bis zu, höchstens, hoechstens, maximal, max, max., weniger als, nicht mehr als, nicht über,
      nicht teurer als, nicht größer als, günstiger als, billiger als, kleiner als, kürzer als, leichter als,
      für unter, für weniger als, für höchstens, für maximal, unterhalb von, innerhalb von, kostet weniger als,
      kosten weniger als, budget, budget von, budget bis`,
    lower: `
      über, ueber, ab, mindestens, mehr als, min, min., wenigstens, größer als, groesser als, länger als, schwerer als,
      teurer als, nicht unter, nicht weniger als, oberhalb von`,
    around: 'ungefähr, ungefaehr, etwa, circa, ca, ca., rund, um die, so um die, um, knapp, zirka',
    upperBehind: `
      oder weniger, oder billiger, oder günstiger, oder kleiner, maximal, max, max., höchstens, nicht überschreiten`,
    lowerBehind: 'oder mehr, oder größer, und mehr, aufwärts, mindestens, min, min.',
    between: { from: 'zwischen', to: 'und, bis' },
    fromTo: { from: 'von', to: 'bis, bis zu' },
    orders: {
      lowestPrice: `
        billigste, billigster, billigstes, billigsten, günstigste, günstigster, günstigstes,
        günstigsten, preiswerteste, preiswertester, preiswertestes, am günstigsten, am billigsten,
        bester preis, besten preis`,
      highestPrice: `
        teuerste, teuerster, teuerstes, teuersten, am teuersten`,
      newest: `
        neueste, neuester, neuestes, neuesten, neuste, neuster, neustes, neusten, neuheiten`,
    },
    available: `
      auf lager, am lager, lagernd, vorrätig, lieferbar, sofort lieferbar, jetzt lieferbar, verfügbar,
      sofort verfügbar, jetzt verfügbar, gleich verfügbar, versandfertig, die auf lager sind, das auf lager ist,
      der auf lager ist, lieferbare, lieferbaren, lieferbarer, lieferbares, sofort lieferbare, sofort lieferbaren,
      verfügbare, verfügbaren, verfügbares, vorrätige, vorrätigen, vorrätiges`,
    availableNotAfter: 'wieder, nicht, wann, wenn, bald',
    negations: `
      ohne, kein, keine, keinen, keinem, keiner, nicht, außer, ausser, ausgenommen, aber nicht, aber kein, aber keine,
      aber keinen, bloß kein, bloß keine, bloß nicht, nur nicht, frei von, statt, anstatt, anstelle von,
      allergisch gegen, nichts, vermeide, mag kein, mag keine, mag keinen, aber ohne`,
    negationFillers: `
      aus, mit, von, in, gegen, ein, eine, einen, einem, einer, den, die, das, dem, der, jede, jeden, jegliche,
      zugesetzten, zugesetzter, zugesetzte, echtem, echtes, sie, es, er`,
    or: 'oder, und, noch, sowie, bzw.',
    negationsRepeated: 'ohne, kein, keine, keinen, nicht',
    noThings: `
      zu so sehr sicher nur gerade ganz mehr weniger teuer teure teures teuren groß klein viel viele wirklich unbedingt
      problem ahnung geht funktioniert funktionieren notwendig nötig schlimm wissen weiß brauchen brauche wollen will
      haben habe finden finde kaputt schwer leicht gut schlecht idee länger erlaubt enthalten mal da hier dabei`,
    endThings: `
      für fürs mit unter über auf in im an am zu zum zur bei von vom aus und oder der die das den dem wenn aber als
      zwischen um mehr weniger bis sondern bitte ab nach ist sind hat haben sein soll`,
  },
  items: {
    ...ANY.items,
    denied: 'false no none n/a nein nicht keine keiner kein ohne',
    nameHeadEnds:
      'für, fürs, mit, aus, von, vom, zum, zur, ohne, in, im, nach, passend, ab, bis, auf, unter',
    colours: `
      anthrazit beige schwarz blau bronze braun bunt creme cyan dunkelblau dunkelgrün dunkelgrau flieder gelb gold golden
      grau grün hellblau hellgrau hellgrün khaki kupfer lila magenta marine mint natur naturfarben navy oliv orange petrol
      pink rosa rot sand schwarz silber silbern taupe türkis transparent violett weinrot weiß`,
    forms: 'set paket pack packung stück paar satz bundle teilig er original doppelpack multipack',
    accessories: `
      adapter akku aufbewahrung aufsatz beutel bezug deckel dichtung ersatz ersatzteil etui filter griff halter halterung
      hülle kabel kartusche koffer ladegerät pflege reiniger schutz schutzhülle ständer tasche zubehör`,
    clothesSizes: `
      xs, extra small
      s, small, klein
      m, medium, mittel
      l, large, groß
      xl, extra large, sehr groß
      xxl, 2xl, xx large
      xxxl, 3xl, xxx large`,
    optionWords: 'größe groesse gr farbe variante ausführung',
  },
};
