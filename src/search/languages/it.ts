import { ANY } from './any.ts';
import type { LanguageWords } from './language-words.ts';

/** Italian. */
export const ITALIAN: LanguageWords = {
  code: 'it',
  analysis: {
    ...ANY.analysis,
    materials: `
      pelle, cuoio
      zucchero, zuccherato
      profumo, profumato
      rivestimento, rivestito`,
    decimal: ',',
    // Snowball's Italian stemmer takes endings of verbs from nouns: `bicchiere` becomes `bicc`.
    endings:
      'chi c, che c, ghi g, ghe g, cie c, gie g, cia c, gia g, io -, ia -, ie -, ii -, i -, e -, o -, a -',
    apostropheEndings: '',
    elisions: 'l d un dell all nell sull dall quest quell c s t m n v cos dov com anch',
    units: {
      mm: 'millimetro, millimetri',
      cm: 'centimetro, centimetri',
      m: 'metro, metri',
      km: 'chilometro, chilometri',
      in: 'pollice, pollici',
      ft: 'piede, piedi',
      ml: 'millilitro, millilitri',
      cl: 'centilitro, centilitri',
      l: 'litro, litri, lt',
      mg: 'milligrammo, milligrammi',
      g: 'grammo, grammi, gr',
      kg: 'chilo, chili, chilogrammo, chilogrammi',
      oz: 'oncia, once',
      gb: 'gigabyte, giga',
      tb: 'terabyte',
      w: 'watt',
      kw: 'chilowatt',
      v: 'volt',
      lm: 'lumen',
      db: 'decibel',
    },
    times: 'per',
    freeBefore: 'senza, privo di, priva di, non',
    freeBetween: 'alcun, alcuna, nessun, nessuna',
    irregularPlurals:
      'uomo uomini, uovo uova, dito dita, paio paia, lenzuolo lenzuola, osso ossa, braccio braccia',
  },
  question: {
    ...ANY.question,
    stopWords: `
      cerco cerchiamo cercando voglio vogliamo vorrei vorremmo bisogno ho abbiamo avete hai mi serve servono un uno
      una il lo la i gli le di del dello della dei degli delle d e ed o od per con su nel nella nei nelle nello in da
      dal dalla dai al alla ai agli alle a è sono essere c ci c'è che cosa quale quali come dove quando quanto quanta
      quanti perché chi mio mia miei mie tuo suo sua vostro vostra vostri nostro si se vi ti me lei noi voi loro ciao
      buongiorno salve grazie favore piacere qualcosa qualche molto più meno anche questo questa questi queste posso
      può potete consigliate consigli vendete mostra mostrami mostrate comprare trovare adatto adatta adatti non senza
      tra fra fino sotto sopra sull all dell nell dall taglia aggiunto aggiunti aggiunta aggiunte sostituire`,
    people: `
      madre mamma padre papà genitori nonna nonno moglie marito fidanzata fidanzato ragazza ragazzo compagno compagna sorella
      fratello figlia figlio bambino bambina bambini neonato adolescente insegnante studente studentessa principiante collega capo
      vicino vicina ospite coppia amico amica amante appassionato`,
    synonyms: `
      divano, sofà
      poltrona, seggiolone
      pantaloni, calzoni
      scarpe da ginnastica, sneakers
      cellulare, smartphone, telefonino, telefono
      televisore, televisione, tv
      frigorifero, frigo
      aspirapolvere, aspiratore
      maglione, pullover, golf
      felpa, hoodie
      torcia, pila
      zaino, rucksack
      valigia, trolley
      borsa, borsetta
      portafoglio, portamonete
      passeggino, carrozzina
      piumone, trapunta
      cuscino, guanciale
      tenda, tendina
      coperta, plaid
      asciugamano, telo
      strofinaccio, canovaccio
      bollitore, teiera
      pentola, casseruola
      padella, tegame
      tazza, mug, tazzina
      posate, posateria
      tagliere, asse
      lavatrice, lavabiancheria
      lavastoviglie, lavapiatti
      lampada, luce, lume
      lampadina, bulbo
      scrivania, tavolo
      armadio, guardaroba
      scaffale, libreria, mensola
      tappeto, zerbino
      giacca, giubbotto, giaccone
      cappotto, soprabito
      impermeabile, k-way
      maglietta, t-shirt
      calza, calzino
      guanto, muffola
      berretto, cappello, cuffia
      sciarpa, foulard
      scarpa, calzatura
      stivale, scarpone
      pantofola, ciabatta
      cuffie, auricolari
      altoparlante, cassa
      portatile, laptop, notebook
      computer, pc
      schermo, monitor
      caricabatterie, caricatore
      batteria, pila, accumulatore
      bicicletta, bici
      borraccia, bottiglia
      trapano, avvitatore
      regalo, dono, pensiero
      marmellata, confettura
      biscotto, frollino
      bio, biologico
      impermeabile, waterproof
      reso, restituzione
      spedizione, consegna`,
    vagueWords: 'regalo regali idea idee sorpresa pensierino',
    headEnds:
      'mio, mia, miei, mie, nostro, nostra, nostri, nostre, per, con, senza, di, del, della, in, da, a, che, contro, compatibile, sotto',
    shopTopics: `
      spedizione spedizioni spedire consegna consegnare reso resi restituire restituzione rendere cambio cambiare
      rimborso rimborsare garanzia pagamento pagamenti pagare fattura ordine annullare pacco spese orari privacy
      reclamo recesso restituirlo restituirla renderlo renderla cambiarlo cambiarla rimborsarlo`,
    policyWords: `
      condizioni politica informazioni info termini tempi regole faq negozio`,
    shopQuestions: [
      {
        begins: `
          come, quando, dove, quanto, quanti, quale, quali, cosa, che, chi, perché, posso, si può, potete, spedite, accettate,
          avete, fate, offrite, è possibile, c'è, devo`,
        about: `
          io, noi, voi, vostro, vostra, vostri, vostre, spedizione, spedizioni, consegna, reso, resi, rendere, restituire, cambiare,
          pagare, pagamento, garanzia, negozio, ordine, rimborso, ritirare, in, a`,
      },
    ],
  },
  constraints: {
    ...ANY.constraints,
    currencies: {
      EUR: 'euro',
      USD: 'dollaro, dollari',
      GBP: 'sterlina, sterline',
      CHF: 'franchi, franco',
    },
    numbers: `
      dieci 10, quindici 15, venti 20, venticinque 25, trenta 30, quaranta 40, cinquanta 50, sessanta 60, settanta 70, ottanta
      80, novanta 90, cento 100, centocinquanta 150, duecento 200, trecento 300, cinquecento 500, mille 1000`,
    counted: `
      persona, persone, posti, pezzi, pezzo, minuto, minuti, min, ora, ore, giorno, giorni, settimana, settimane,
      mese, mesi, anno, anni, gradi, pagine, giocatori, volte, bambini, tazze, porzioni, stella, stelle`,
    upper: `
      meno di, a meno di, per meno di, di meno di, sotto i, sotto gli, sotto, al di sotto di, inferiore a,
      inferiori a, fino a, entro, entro i, massimo, al massimo, max, max., non più di, non oltre, più economico di,
      che costi meno di, che costa meno di, budget, budget di, con un budget di`,
    lower: `
      più di, piu di, oltre, oltre i, sopra i, sopra, superiore a, superiori a, a partire da, da almeno, almeno, minimo, come minimo,
      min, min., non meno di, dai`,
    around: 'circa, intorno a, intorno ai, attorno a, attorno ai, sui, verso i, più o meno',
    upperBehind: 'o meno, al massimo, massimo, max, max.',
    lowerBehind: 'o più, o piu, minimo, almeno, min, min., in su',
    between: { from: 'tra, fra, tra i, fra i', to: 'e, e i, ed' },
    fromTo: { from: 'da, dai', to: 'a, ai, fino a' },
    orders: {
      lowestPrice: `
        più economico, più economica, più economici, più economiche, il più economico, la più economica, meno caro, meno cara,
        meno cari, meno care, miglior prezzo, al miglior prezzo, prezzo più basso`,
      highestPrice: `
        più caro, più cara, più cari, più care, il più caro, la più cara, più costoso, più costosa, più costosi, più costose`,
      newest: `
        più nuovo, più nuova, più nuovi, più nuove, più recente, più recenti, novità, ultimo modello`,
    },
    available: `
      disponibile, disponibili, disponibile subito, disponibili subito, in magazzino, in stock, pronta consegna, in pronta consegna,
      subito disponibile, che sia disponibile`,
    availableNotAfter: 'non, quando, nuovo, ancora, presto',
    negations: `
      senza, non, non in, non di, ma non, ma non in, ma non di, che non sia, che non siano, che non contenga, tranne,
      eccetto, salvo, escluso, esclusi, privo di, priva di, privi di, non voglio, niente, nessun, nessuna,
      allergico al, allergica al, allergico alla, invece di, invece del, invece della, al posto di, al posto del,
      al posto della, anziché, piuttosto che`,
    negationFillers:
      'di, del, della, dei, il, lo, la, i, gli, le, un, una, in, a, al, con, alcun, alcuna, sia, siano',
    or: 'o, oppure, e, ed, né, nè',
    negationsRepeated: 'senza, non, di, né',
    noThings: `
      troppo troppa così molto più meno caro cara cari care grande piccolo solo so problema idea funziona importa bene male tanto c'è
      ho posso voglio sia incluso fili filo`,
    endThings: `
      per con sotto in su a al di del da e o che se ma meno più tra fra favore senza come fino è sono né aggiunto
      aggiunti aggiunta aggiunte`,
  },
  items: {
    ...ANY.items,
    denied: 'false no none n/a nessuno nessuna senza falso',
    nameHeadEnds: 'per, con, senza, di, del, della, in, da, a, compatibile, tipo',
    isNounFirst: true,
    beforeNoun: `
      bel bella bello buon buona grande migliore migliori mini nuova nuovo piccola piccolo vecchia vecchio due tre quattro
      cinque sei otto dieci dodici`,
    colours: `
      antracite arancione argento avorio azzurro azzurra beige bianco bianca blu bordeaux bronzo celeste corallo crema dorato fucsia
      giallo gialla grigio grigia kaki lilla marrone menta naturale nero nera oliva oro petrolio rame rosa rosso rossa sabbia
      senape trasparente turchese verde viola`,
    forms: 'set kit confezione paio pezzi pezzo pacco originale coppia',
    accessories: `
      accessorio adattatore batteria cavo caricabatterie coperchio custodia filtro fodera manico protezione ricambio ricarica
      sacca supporto`,
    clothesSizes: `
      s, piccola, piccolo
      m, media, medio
      l, grande
      xl, extra large
      xxl, 2xl
      xxxl, 3xl`,
    optionWords: 'taglia misura colore variante modello numero',
  },
};
