/*
 * What people call the columns of a product table, and what they write into them. Data only: a native
 * speaker can review one language without reading code. Each line gives a meaning and the words for it,
 * separated by commas. Case, accents, spaces and punctuation do not matter: `Art.-Nr.` covers `art_nr`
 * and `ArtNr`. A word that can mean two things in a product table belongs in neither line.
 *
 * Prices have several meanings because a table may have several: `price` (what customers pay),
 * `grossPrice` and `netPrice` (said to be with or without tax), `purchasePrice` (what the shop pays, or
 * resellers), `listPrice` (recommended or former), `salePrice` (at times), `otherPrice` (per kilogram,
 * of shipping, of a deposit). `summary` is a short description, `visible` whether customers may see it.
 */

export const HEADINGS = {
  English: `
    id: id, product id, item id, article id, offer id, unique id
    sku: sku, item number, item no, item nr, item #, article number, article no, product number,
      product no, product code, item code, article code, stock code, part number, part no, product sku,
      item sku, catalog number, catalogue number, reference, ref, style number, style code
    title: name, title, product name, product title, item name, item title, article name, item, product
    description: description, long description, product description, full description,
      item description, details, body, body html
    summary: short description, summary, subtitle
    link: link, url, product url, product link, page url, permalink, deeplink, web address, product page
    image: image, image url, image link, image src, picture, picture url, photo, photo url, main image,
      main image url, primary image, product image, product image url, featured image, img, img url,
      image 1, image url 1, thumbnail, thumbnail url
    images: images, image urls, additional images, additional image urls, gallery, photos, pictures
    price: price, selling price, sell price, sales price, retail price, current price, regular price,
      normal price, product price, item price, variant price, our price, shop price, store price
    grossPrice: gross price, price gross, price incl vat, price inc vat, price including vat,
      price incl tax, price inc tax, price including tax, retail price incl vat
    netPrice: net price, price net, price excl vat, price ex vat, price excluding vat, price excl tax,
      price ex tax, price excluding tax, price without tax, price without vat
    purchasePrice: cost, cost price, costs, unit cost, cost per item, purchase price, buying price,
      wholesale price, wholesale, trade price, dealer price, reseller price, distributor price, b2b price
    listPrice: list price, rrp, msrp, srp, recommended retail price, suggested retail price,
      compare at price, compare price, original price, old price, was price, previous price
    salePrice: sale price, special price, special, discount price, discounted price, promo price,
      promotional price, offer price, reduced price
    otherPrice: price per kg, price per kilo, price per litre, price per unit, unit pricing measure,
      shipping price, shipping cost, delivery price, deposit
    currency: currency, currency code
    tax: tax, tax rate, vat, vat rate, gst
    availability: availability, availability status, stock status, in stock, available
    quantity: quantity, qty, stock, stock quantity, stock qty, stock level, stock on hand, on hand,
      inventory, inventory quantity, inventory qty, quantity in stock, qty in stock, units in stock,
      available quantity, quantity available
    visible: published, visible, active, enabled, is active, is visible, is published, online
    status: status, state, product status
    brand: brand, brand name, manufacturer, vendor, maker, producer
    gtin: gtin, ean, upc, barcode, bar code, ean code, ean 13, gtin 13, isbn, ean upc, gtin ean
    mpn: mpn, manufacturer part number, manufacturer number, manufacturer sku, mfr part number,
      oem number
    category: category, categories, product category, category name, category path, product type,
      product group, department
    tags: tags, keywords
    color: color, colour
    size: size
    material: material
    group: parent, parent sku, parent id, parent product, item group id, group id, master sku
  `,
  German: `
    id: Produkt-ID, Artikel-ID, Produktkennung
    sku: Artikelnummer, Artikel-Nr, Artikel-Nummer, Art-Nr, Artnr, Artikelnr, Produktnummer,
      Produkt-Nr, Produktcode, Artikelcode, Bestellnummer, Bestell-Nr, Best-Nr, Katalognummer, Nummer, Nr
    title: Bezeichnung, Artikelbezeichnung, Artikelname, Produktname, Produktbezeichnung, Produkt,
      Artikel, Titel, Produkttitel, Artikeltitel, Kurzbezeichnung
    description: Beschreibung, Artikelbeschreibung, Produktbeschreibung, Langbeschreibung, Langtext,
      Beschreibungstext, Detailbeschreibung
    summary: Kurzbeschreibung, Kurztext
    link: Produktlink, Produkt-URL, Artikel-URL, Shoplink, Shop-URL, Produktseite, Webadresse,
      Internetadresse
    image: Bild, Bild-URL, Bildlink, Bildadresse, Produktbild, Artikelbild, Hauptbild, Bild 1, Foto,
      Abbildung, Bildpfad
    images: Bilder, Bild-URLs, weitere Bilder, Zusatzbilder, Produktbilder, Bildergalerie, Galerie
    price: Preis, Verkaufspreis, VK, VK-Preis, Endpreis, Ladenpreis, Shoppreis, Stückpreis,
      Endkundenpreis, Normalpreis, Einzelpreis
    grossPrice: Bruttopreis, Preis brutto, Brutto-VK, VK brutto, Verkaufspreis brutto,
      Bruttoverkaufspreis, Preis inkl MwSt, Preis inkl USt, Preis incl MwSt
    netPrice: Nettopreis, Preis netto, Netto-VK, VK netto, Verkaufspreis netto, Nettoverkaufspreis,
      Preis exkl MwSt, Preis zzgl MwSt, Preis ohne MwSt
    purchasePrice: Einkaufspreis, EK, EK-Preis, EK netto, EK brutto, Einkaufspreis netto,
      Händlerpreis, Händler-EK, HEK, Selbstkosten, Großhandelspreis, Wiederverkäuferpreis
    listPrice: UVP, UPE, Listenpreis, Streichpreis, Alter Preis, Preis alt, Originalpreis,
      empfohlener Verkaufspreis, unverbindliche Preisempfehlung, statt Preis, UVP brutto
    salePrice: Sonderpreis, Angebotspreis, Aktionspreis, Rabattpreis, reduzierter Preis, Sale-Preis
    otherPrice: Grundpreis, Preis pro kg, Preis je kg, Preis pro Liter, Preis pro Einheit, Pfand,
      Versandkosten, Versandpreis, Staffelpreis
    currency: Währung, Währungscode
    tax: MwSt, MwSt-Satz, Mehrwertsteuer, Steuersatz, Umsatzsteuer, USt, USt-Satz, Steuer
    availability: Verfügbarkeit, verfügbar, lieferbar, auf Lager, Lagerstatus, Lieferstatus,
      Lieferbarkeit, vorrätig
    quantity: Bestand, Lagerbestand, Lagermenge, Menge, Anzahl, Stückzahl, Lager, verfügbare Menge,
      verfügbarer Bestand
    visible: aktiv, sichtbar, veröffentlicht, online, freigegeben
    brand: Marke, Hersteller, Markenname, Herstellername
    gtin: EAN-Code, EAN-Nummer, Strichcode, GTIN-Nummer, EAN-Nr
    mpn: Herstellernummer, Hersteller-Nr, Herstellerartikelnummer, Hersteller-Artikelnummer,
      Hersteller-Art-Nr, HAN
    category: Kategorie, Kategorien, Warengruppe, Produktgruppe, Artikelgruppe, Produktkategorie,
      Produkttyp, Produktart, Kategoriepfad, Rubrik
    tags: Schlagwörter, Schlagworte, Stichwörter, Suchbegriffe
    color: Farbe
    size: Größe
    material: Werkstoff
    group: Vaterartikel, Elternartikel, Hauptartikel, Hauptartikelnummer, Gruppen-ID, Variantengruppe
  `,
  French: `
    id: identifiant, id produit, identifiant produit, id article
    sku: référence, réf, référence produit, référence article, réf produit, réf article, code article,
      code produit, numéro d'article, n° article, n° d'article, UGS, numéro de produit
    title: nom, nom du produit, nom produit, nom de l'article, désignation, désignation article, titre,
      libellé, libellé produit, intitulé, produit, article, désignation produit
    description: description longue, description du produit, description produit, descriptif,
      description détaillée
    summary: description courte, résumé, description brève
    link: lien, lien produit, url produit, url du produit, adresse web, page produit, fiche produit
    image: image principale, url image, url de l'image, lien image, lien de l'image, photo principale,
      visuel, url photo, image produit
    images: photos, images supplémentaires, autres images, galerie, images produit
    price: prix, prix de vente, prix public, prix client, prix unitaire, tarif, prix normal
    grossPrice: prix TTC, prix de vente TTC, prix public TTC, tarif TTC, PV TTC, TTC, prix unitaire TTC
    netPrice: prix HT, prix de vente HT, prix public HT, tarif HT, PV HT, HT, prix unitaire HT,
      prix hors taxe, prix hors taxes
    purchasePrice: prix d'achat, prix d'achat HT, prix achat, PA HT, prix de revient, coût, prix de gros,
      prix revendeur, tarif revendeur, coût d'achat
    listPrice: prix conseillé, prix public conseillé, PPC, prix barré, ancien prix, prix d'origine,
      prix de vente conseillé, PVC, prix catalogue
    salePrice: prix promo, prix promotionnel, prix soldé, prix remisé, prix réduit, promotion, promo,
      prix en promotion, tarif promo
    otherPrice: prix au kilo, prix au litre, prix au kg, frais de port, frais de livraison, consigne,
      écotaxe, éco-participation
    currency: devise, monnaie, code devise
    tax: TVA, taux TVA, taux de TVA, taxe
    availability: disponibilité, disponible, en stock, état du stock, statut du stock
    quantity: quantité, stock, qté, quantité en stock, stock disponible, quantité disponible
    visible: actif, publié, visible, en ligne, affiché
    status: statut, état
    brand: marque, fabricant, nom de la marque
    gtin: code-barres, code barre, code EAN, gencod, gencode
    mpn: référence fabricant, réf fabricant, référence constructeur, code fabricant
    category: catégorie, catégories, rayon, famille, catégorie de produit, type de produit,
      famille de produits, nom de la catégorie
    tags: mots-clés, étiquettes
    color: couleur
    size: taille
    material: matière, matériau
    group: produit parent, référence parent, article parent
  `,
  Spanish: `
    id: identificador, id producto, id del producto, id de producto, id artículo
    sku: referencia, código, código de artículo, código artículo, código de producto, código producto,
      código del producto, número de artículo, n° artículo, ref producto, referencia producto
    title: nombre, nombre del producto, nombre producto, nombre de producto, nombre del artículo,
      título, producto, artículo, denominación, nombre artículo
    description: descripción, descripción larga, descripción del producto, descripción producto,
      descripción completa, descripción detallada
    summary: descripción corta, descripción breve, resumen
    link: enlace, enlace producto, url producto, url del producto, enlace del producto, página web
    image: imagen, url imagen, url de la imagen, url de imagen, imagen principal, foto, foto principal,
      enlace imagen, enlace de imagen, imagen 1
    images: imágenes, fotos, imágenes adicionales, galería, otras imágenes
    price: precio, precio de venta, precio venta, precio normal, precio final, precio unitario
    grossPrice: precio con IVA, precio IVA incluido, precio venta con IVA, PVP con IVA,
      precio con impuestos, PVP IVA incluido, precio bruto
    netPrice: precio sin IVA, precio venta sin IVA, PVP sin IVA, precio neto, precio sin impuestos,
      base imponible
    purchasePrice: precio de compra, precio compra, precio de coste, precio coste, precio de costo, coste,
      costo, precio mayorista, precio distribuidor, precio al por mayor
    listPrice: precio recomendado, precio anterior, precio original, precio de lista, PVPR,
      precio de catálogo, precio antes, precio tachado
    salePrice: precio de oferta, precio oferta, precio rebajado, precio promocional, precio especial,
      precio con descuento, oferta
    otherPrice: precio por kilo, precio por kg, precio por litro, gastos de envío, coste de envío,
      precio por unidad
    currency: moneda, divisa
    tax: IVA, tipo de IVA, impuesto, impuestos
    availability: disponibilidad, disponible, en existencia, estado del stock, en stock
    quantity: cantidad, existencias, stock disponible, unidades, inventario, cantidad en stock,
      unidades en stock
    visible: activo, publicado, visible, en línea
    status: estado, estatus
    brand: marca, fabricante
    gtin: código de barras, código barras, código EAN
    mpn: referencia fabricante, referencia del fabricante, número de pieza del fabricante
    category: categoría, categorías, familia, tipo de producto, categoría de producto, sección
    tags: etiquetas, palabras clave
    color: color
    size: talla, tamaño
    material: material
    group: producto padre, referencia padre, sku padre
  `,
  Italian: `
    id: identificativo, id prodotto, id articolo
    sku: codice, codice articolo, codice prodotto, cod articolo, cod art, cod prodotto,
      numero articolo, riferimento, rif, codice art, codice interno
    title: nome, nome prodotto, nome del prodotto, nome articolo, titolo, prodotto, articolo,
      denominazione, titolo prodotto
    description: descrizione, descrizione lunga, descrizione prodotto, descrizione articolo,
      descrizione estesa, descrizione completa
    summary: descrizione breve, descrizione corta, breve descrizione
    link: collegamento, link prodotto, url prodotto, indirizzo web, pagina prodotto
    image: immagine, url immagine, immagine principale, foto, foto principale, link immagine,
      immagine 1, immagine prodotto
    images: immagini, immagini aggiuntive, galleria, altre immagini, foto aggiuntive
    price: prezzo, prezzo di vendita, prezzo vendita, prezzo finale, prezzo unitario, prezzo regolare
    grossPrice: prezzo IVA inclusa, prezzo ivato, prezzo con IVA, prezzo lordo, prezzo compresa IVA,
      prezzo di vendita IVA inclusa
    netPrice: prezzo IVA esclusa, prezzo senza IVA, prezzo netto, imponibile, prezzo esclusa IVA
    purchasePrice: prezzo di acquisto, prezzo acquisto, costo, prezzo di costo, prezzo ingrosso,
      prezzo all'ingrosso, prezzo rivenditore
    listPrice: prezzo di listino, prezzo listino, prezzo consigliato, prezzo originale,
      prezzo precedente, prezzo barrato, vecchio prezzo, prezzo pieno
    salePrice: prezzo scontato, prezzo in offerta, prezzo promozionale, prezzo offerta, prezzo speciale,
      prezzo promo
    otherPrice: prezzo al kg, prezzo al litro, spese di spedizione, costo spedizione, prezzo al chilo
    currency: valuta, divisa
    tax: IVA, aliquota IVA, aliquota, imposta
    availability: disponibilità, disponibile, in magazzino, stato magazzino, in stock
    quantity: quantità, giacenza, scorte, qta, magazzino, quantità disponibile, giacenza magazzino
    visible: attivo, pubblicato, visibile, in linea
    status: stato
    brand: marca, marchio, produttore, fabbricante
    gtin: codice a barre, codice EAN, barcode
    mpn: codice produttore, codice fabbricante, codice costruttore
    category: categoria, categorie, reparto, tipo prodotto, categoria prodotto, gruppo merceologico
    tags: parole chiave, etichette
    color: colore
    size: taglia, misura
    material: materiale
    group: prodotto padre, articolo padre, codice padre
  `,
  Dutch: `
    id: product-id, artikel-id
    sku: artikelnummer, artikelnr, art nr, productnummer, productcode, artikelcode, bestelnummer,
      bestelcode, referentie
    title: naam, productnaam, artikelnaam, titel, product, artikel, omschrijving kort, producttitel,
      benaming
    description: beschrijving, omschrijving, productbeschrijving, productomschrijving,
      artikelomschrijving, lange omschrijving, lange beschrijving
    summary: korte omschrijving, korte beschrijving
    link: productlink, product url, webadres, productpagina, koppeling
    image: afbeelding, afbeelding url, foto, hoofdafbeelding, productafbeelding, afbeelding 1,
      afbeeldingslink, foto url
    images: afbeeldingen, foto's, extra afbeeldingen, galerij, overige afbeeldingen
    price: prijs, verkoopprijs, winkelprijs, consumentenprijs, stukprijs, normale prijs
    grossPrice: prijs incl btw, prijs inclusief btw, verkoopprijs incl btw, brutoprijs, bruto prijs
    netPrice: prijs excl btw, prijs exclusief btw, verkoopprijs excl btw, nettoprijs, netto prijs
    purchasePrice: inkoopprijs, inkoop, kostprijs, groothandelsprijs, dealerprijs, wederverkoopprijs
    listPrice: adviesprijs, adviesverkoopprijs, van prijs, oude prijs, oorspronkelijke prijs,
      vorige prijs, catalogusprijs
    salePrice: aanbiedingsprijs, actieprijs, speciale prijs, kortingsprijs, voor prijs,
      uitverkoopprijs
    otherPrice: prijs per kg, prijs per liter, prijs per eenheid, verzendkosten, statiegeld
    currency: valuta, munteenheid
    tax: btw, btw-tarief, btw percentage, belasting
    availability: beschikbaarheid, beschikbaar, op voorraad, voorraadstatus, leverbaar
    quantity: voorraad, aantal, hoeveelheid, voorraadaantal, beschikbare voorraad
    visible: actief, gepubliceerd, zichtbaar, online
    status: status
    brand: merk, fabrikant, merknaam
    gtin: ean-code, streepjescode, barcode
    mpn: fabrikantnummer, artikelnummer fabrikant, fabrikantcode
    category: categorie, categorieën, productgroep, producttype, productcategorie, rubriek
    tags: trefwoorden, zoekwoorden, labels
    color: kleur
    size: maat
    material: materiaal
    group: hoofdartikel, hoofdproduct, bovenliggend product
  `,
  Portuguese: `
    id: identificador, id do produto, id produto
    sku: referência, código, código do produto, código do artigo, código produto, número do artigo,
      n° artigo, cód produto
    title: nome, nome do produto, nome produto, nome do artigo, título, produto, artigo, designação,
      título do produto
    description: descrição, descrição longa, descrição do produto, descrição completa,
      descrição detalhada
    summary: descrição curta, descrição breve, resumo
    link: ligação, link do produto, url do produto, página do produto
    image: imagem, url da imagem, imagem principal, foto, link da imagem, imagem 1, url imagem
    images: imagens, fotos, imagens adicionais, galeria, outras imagens
    price: preço, preço de venda, preço normal, preço final, preço unitário, valor de venda
    grossPrice: preço com IVA, preço IVA incluído, PVP com IVA, preço bruto, preço com imposto
    netPrice: preço sem IVA, PVP sem IVA, preço líquido, preço sem imposto
    purchasePrice: preço de compra, preço de custo, custo, preço compra, preço revenda, preço grossista,
      preço atacado
    listPrice: preço recomendado, preço original, preço anterior, preço antigo, preço de tabela,
      preço de lista, preço de
    salePrice: preço promocional, preço de promoção, preço com desconto, preço em promoção, preço oferta,
      preço por
    otherPrice: preço por kg, preço por litro, portes de envio, custo de envio, frete
    currency: moeda, divisa
    tax: IVA, taxa de IVA, taxa IVA, imposto
    availability: disponibilidade, disponível, em stock, em estoque, estado do stock
    quantity: quantidade, estoque, existências, unidades, qtd, quantidade em estoque
    visible: ativo, publicado, visível, activo
    status: estado, situação
    brand: marca, fabricante
    gtin: código de barras, código EAN
    mpn: referência do fabricante, código do fabricante
    category: categoria, categorias, família, tipo de produto, secção, departamento
    tags: etiquetas, palavras-chave
    color: cor
    size: tamanho
    material: material
    group: produto pai, sku pai, referência pai
  `,
  Polish: `
    id: id produktu, identyfikator, id towaru
    sku: numer artykułu, kod, kod produktu, kod towaru, indeks, symbol, nr katalogowy, numer katalogowy,
      nr artykułu, numer produktu
    title: nazwa, nazwa produktu, nazwa towaru, nazwa artykułu, tytuł, produkt, towar
    description: opis, opis produktu, opis długi, pełny opis, długi opis
    summary: krótki opis, opis krótki, opis skrócony
    link: odnośnik, link do produktu, adres url, url produktu, adres strony
    image: zdjęcie, obraz, obrazek, zdjęcie główne, adres zdjęcia, link do zdjęcia, url zdjęcia,
      zdjęcie 1
    images: zdjęcia, obrazy, dodatkowe zdjęcia, galeria
    price: cena, cena sprzedaży, cena detaliczna, cena podstawowa, cena regularna
    grossPrice: cena brutto, cena sprzedaży brutto, cena detaliczna brutto
    netPrice: cena netto, cena sprzedaży netto, cena detaliczna netto
    purchasePrice: cena zakupu, cena zakupu netto, koszt, cena hurtowa, cena hurtowa netto
    listPrice: cena katalogowa, stara cena, poprzednia cena, cena przed obniżką, cena sugerowana,
      sugerowana cena detaliczna, cena przekreślona
    salePrice: cena promocyjna, cena specjalna, promocja, cena po rabacie, cena wyprzedażowa
    otherPrice: cena za kg, cena za litr, cena jednostkowa, koszt wysyłki, koszt dostawy, kaucja
    currency: waluta
    tax: VAT, stawka VAT, podatek
    availability: dostępność, dostępny, w magazynie, stan dostępności
    quantity: ilość, stan magazynowy, stan, liczba sztuk, zapas, ilość w magazynie
    visible: aktywny, opublikowany, widoczny, opublikowano
    status: status
    brand: marka, producent
    gtin: kod kreskowy, kod EAN
    mpn: kod producenta, numer producenta, symbol producenta
    category: kategoria, kategorie, grupa towarowa, typ produktu, dział
    tags: tagi, słowa kluczowe, etykiety
    color: kolor, barwa
    size: rozmiar
    material: materiał
    group: produkt nadrzędny, kod nadrzędny
  `,
  Swedish: `
    id: produkt-id, artikel-id
    sku: artikelnummer, artnr, art nr, produktnummer, produktkod, artikelkod, beställningsnummer
    title: namn, produktnamn, artikelnamn, benämning, titel, produkt, artikel, artikelbenämning
    description: beskrivning, produktbeskrivning, lång beskrivning, artikelbeskrivning
    summary: kort beskrivning, kortbeskrivning
    link: länk, produktlänk, webbadress, produktsida
    image: bild, bild url, bildlänk, produktbild, huvudbild, foto
    images: bilder, fler bilder, bildgalleri
    price: pris, försäljningspris, butikspris, ordinarie pris, utpris, kundpris
    grossPrice: pris inkl moms, pris inklusive moms, bruttopris, försäljningspris inkl moms
    netPrice: pris exkl moms, pris exklusive moms, nettopris, försäljningspris exkl moms
    purchasePrice: inköpspris, inpris, kostnad, återförsäljarpris, grossistpris, självkostnad
    listPrice: rekommenderat pris, rek pris, listpris, tidigare pris, ursprungspris,
      rekommenderat cirkapris, cirkapris
    salePrice: kampanjpris, reapris, specialpris, rabatterat pris, extrapris, erbjudandepris
    otherPrice: jämförpris, pris per kg, pris per liter, fraktkostnad, frakt, pant
    currency: valuta, valutakod
    tax: moms, momssats, skatt
    availability: tillgänglighet, tillgänglig, i lager, lagerstatus
    quantity: antal, lagersaldo, saldo, lager, kvantitet, lagerantal
    visible: aktiv, publicerad, synlig
    status: status
    brand: märke, varumärke, tillverkare, fabrikat
    gtin: streckkod, ean-kod
    mpn: tillverkarens artikelnummer, tillverkarnummer
    category: kategori, kategorier, produktgrupp, varugrupp, produkttyp
    tags: taggar, nyckelord, sökord
    color: färg
    size: storlek
    material: material
    group: huvudartikel, huvudprodukt
  `,
  Danish: `
    id: produkt-id, vare-id
    sku: varenummer, varenr, vare nr, artikelnummer, produktnummer, produktkode, bestillingsnummer
    title: navn, produktnavn, varenavn, betegnelse, titel, produkt, vare, varebetegnelse
    description: beskrivelse, produktbeskrivelse, varebeskrivelse, lang beskrivelse
    summary: kort beskrivelse, kortbeskrivelse
    link: produktlink, webadresse, produktside
    image: billede, billede url, billedlink, produktbillede, hovedbillede, foto
    images: billeder, flere billeder, billedgalleri
    price: pris, salgspris, butikspris, normalpris
    grossPrice: pris inkl moms, pris inklusive moms, bruttopris, salgspris inkl moms, pris med moms
    netPrice: pris ekskl moms, pris eksklusive moms, nettopris, salgspris ekskl moms, pris uden moms
    purchasePrice: indkøbspris, kostpris, kostpris ekskl moms, forhandlerpris, engrospris
    listPrice: vejledende pris, vejl pris, listepris, førpris, tidligere pris, oprindelig pris,
      vejledende udsalgspris
    salePrice: tilbudspris, kampagnepris, specialpris, nedsat pris, rabatpris
    otherPrice: kilopris, literpris, pris pr kg, pris pr liter, fragt, forsendelse, pant
    currency: valuta, valutakode
    tax: moms, momssats, afgift
    availability: tilgængelighed, tilgængelig, på lager, lagerstatus
    quantity: antal, lagerbeholdning, beholdning, lager, lagerantal
    visible: aktiv, udgivet, synlig, offentliggjort
    status: status
    brand: mærke, varemærke, producent, fabrikant
    gtin: stregkode, ean-kode
    mpn: producentens varenummer, producentnummer
    category: kategori, kategorier, varegruppe, produktgruppe, produkttype
    tags: nøgleord, søgeord
    color: farve
    size: størrelse
    material: materiale
    group: hovedvare, hovedprodukt
  `,
  Russian: `
    id: ID товара, ид товара, идентификатор, код товара, код
    sku: артикул, артикул товара, артикул продавца
    title: наименование, наименование товара, название, название товара, товар, номенклатура
    description: описание, описание товара, полное описание, подробное описание
    summary: краткое описание, анонс
    link: ссылка, ссылка на товар, адрес страницы, URL товара
    image: изображение, картинка, фото, ссылка на изображение, основное изображение, главное фото
    images: изображения, картинки, фотографии, дополнительные изображения
    price: цена, цена продажи, розничная цена, регулярная цена, базовая цена, обычная цена
    grossPrice: цена с НДС
    netPrice: цена без НДС
    purchasePrice: закупочная цена, себестоимость, оптовая цена
    listPrice: старая цена, цена до скидки, рекомендованная цена, РРЦ
    salePrice: цена со скидкой, акционная цена, цена распродажи
    otherPrice: цена за кг, цена за литр, стоимость доставки
    currency: валюта, код валюты
    tax: НДС, ставка НДС
    availability: наличие, доступность, статус наличия
    quantity: количество, остаток, остатки, остаток на складе, количество на складе
    visible: активен, опубликован, активность
    brand: бренд, производитель, торговая марка, марка
    gtin: штрихкод, штрих-код
    mpn: артикул производителя, код производителя
    category: категория, категория товара, раздел, группа товаров, тип товара
    tags: теги, метки, ключевые слова
    color: цвет
    size: размер
    material: материал
    group: родительский товар, артикул родителя
  `,
} as const;

/** What the cells of availability and visibility columns say. Digits do not matter: `in stock (12)`. */
export const WORDS = {
  English: `
    in_stock: in stock, available, in store, on stock, ready to ship
    limited_stock: low stock, limited stock, limited, few left, last items, limited availability
    backorder: backorder, on backorder, available on backorder, on request, available on order
    preorder: preorder, pre-order, coming soon
    out_of_stock: out of stock, not available, unavailable, sold out, not in stock
    discontinued: discontinued, end of life
    yes: yes, true, y, x, on, active, enabled, published, visible, online, publish
    no: no, false, n, off, inactive, disabled, unpublished, hidden, offline, draft, archived, private,
      deleted
  `,
  German: `
    in_stock: auf Lager, lieferbar, sofort lieferbar, verfügbar, vorrätig, lagernd, sofort verfügbar,
      ab Lager
    limited_stock: wenige verfügbar, geringer Bestand, begrenzt verfügbar, nur noch wenige
    backorder: nachbestellt, auf Bestellung, auf Anfrage, bestellbar
    preorder: vorbestellbar, Vorbestellung
    out_of_stock: nicht auf Lager, nicht lieferbar, nicht verfügbar, ausverkauft, vergriffen,
      nicht vorrätig
    discontinued: Auslaufartikel, nicht mehr lieferbar, eingestellt
    yes: ja, wahr, j, aktiv, sichtbar, veröffentlicht
    no: nein, falsch, inaktiv, unsichtbar, versteckt, Entwurf, gelöscht, gesperrt, archiviert
  `,
  French: `
    in_stock: en stock, disponible, disponible immédiatement
    limited_stock: stock limité, stock faible, derniers articles
    backorder: sur commande, en réapprovisionnement
    preorder: précommande, en précommande
    out_of_stock: en rupture, rupture de stock, en rupture de stock, indisponible, épuisé, non disponible
    discontinued: arrêté, abandonné
    yes: oui, vrai, actif, publié, en ligne
    no: non, faux, inactif, brouillon, masqué, hors ligne, archivé
  `,
  Spanish: `
    in_stock: en stock, disponible, en existencia, hay existencias
    limited_stock: pocas unidades, stock limitado, últimas unidades
    backorder: bajo pedido
    preorder: preventa, próximamente
    out_of_stock: agotado, sin stock, no disponible, sin existencias, fuera de stock
    discontinued: descatalogado, descontinuado
    yes: sí, verdadero, activo, publicado
    no: no, falso, inactivo, borrador, oculto, archivado
  `,
  Italian: `
    in_stock: disponibile, in magazzino, in stock, disponibilità immediata
    limited_stock: disponibilità limitata, ultimi pezzi, scorte limitate
    backorder: su ordinazione, su richiesta
    preorder: preordine, prenotabile, in arrivo
    out_of_stock: esaurito, non disponibile, non in magazzino, fuori stock
    discontinued: fuori produzione, dismesso
    yes: sì, vero, attivo, pubblicato
    no: no, falso, inattivo, bozza, nascosto, non attivo, archiviato
  `,
  Dutch: `
    in_stock: op voorraad, leverbaar, beschikbaar, direct leverbaar
    limited_stock: beperkt leverbaar, beperkte voorraad, bijna uitverkocht
    backorder: in bestelling, op bestelling, nabestelling
    preorder: reserveren, binnenkort leverbaar
    out_of_stock: niet op voorraad, uitverkocht, niet leverbaar, niet beschikbaar
    discontinued: niet meer leverbaar, uit assortiment
    yes: ja, waar, actief, gepubliceerd
    no: nee, onwaar, inactief, concept, verborgen, niet actief, gearchiveerd
  `,
  Portuguese: `
    in_stock: em stock, em estoque, disponível
    limited_stock: stock limitado, últimas unidades, estoque limitado
    backorder: sob encomenda
    preorder: pré-venda, pré-encomenda
    out_of_stock: esgotado, indisponível, sem stock, sem estoque, fora de estoque, não disponível
    discontinued: descontinuado
    yes: sim, verdadeiro, ativo, publicado
    no: não, falso, inativo, rascunho, oculto, arquivado
  `,
  Polish: `
    in_stock: dostępny, w magazynie, na stanie, dostępne, dostępna
    limited_stock: mała ilość, ostatnie sztuki
    backorder: na zamówienie
    preorder: przedsprzedaż
    out_of_stock: niedostępny, brak w magazynie, brak, wyprzedane, niedostępne, niedostępna
    discontinued: wycofany, wycofane
    yes: tak, prawda, aktywny, opublikowany
    no: nie, fałsz, nieaktywny, szkic, ukryty
  `,
  Swedish: `
    in_stock: i lager, finns i lager, tillgänglig
    limited_stock: få kvar, begränsat antal
    backorder: beställningsvara
    preorder: förbeställning, kommer snart
    out_of_stock: slut, slut i lager, ej i lager, slutsåld, ej tillgänglig
    discontinued: utgått, utgående
    yes: ja, sant, aktiv, publicerad
    no: nej, falskt, inaktiv, utkast, dold
  `,
  Danish: `
    in_stock: på lager, tilgængelig
    limited_stock: få på lager, begrænset antal
    backorder: bestillingsvare, i restordre
    preorder: forudbestilling, kommer snart
    out_of_stock: ikke på lager, udsolgt, ikke tilgængelig
    discontinued: udgået
    yes: ja, sand, aktiv, udgivet
    no: nej, falsk, inaktiv, kladde, skjult
  `,
  Russian: `
    in_stock: в наличии, есть в наличии, есть, на складе, доступен
    limited_stock: мало, заканчивается
    backorder: под заказ
    preorder: предзаказ, скоро в продаже
    out_of_stock: нет в наличии, отсутствует, распродано, недоступен
    discontinued: снят с производства
    yes: да, истина, активен, опубликован
    no: нет, ложь, неактивен, черновик, скрыт
  `,
} as const;
