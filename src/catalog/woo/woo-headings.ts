/*
 * The headings of WooCommerce's export in lower case, as its language packs translate them: English, German,
 * French, Spanish, Italian, Dutch, Portuguese, Polish, Danish, Finnish, Greek, Indonesian, Japanese, Korean,
 * Norwegian, Russian, Swedish, Thai, Turkish, Ukrainian, Vietnamese and Chinese. Some have several
 * translations, because language packs change.
 */

/** Columns in the order of the export. */
export const HEADINGS = {
  id: names('id|kimlik|代碼'),
  type: names('type|typ|tipo|soort|τύπος|laji|tipe|タイプ|형식|тип|ชนิด|tür|loại|类型|類型'),
  sku: names(
    'sku|artikelnummer|ugs|référence|cod|código|ref|art.-nr.|rek|varenummer',
    'κωδικός προϊόντος|tuotetunnus (sku)|артикул|artikelnr|รหัสสินค้า|stok kodu (sku)',
    'mã sản phẩm|貨號',
  ),
  gtin: names(
    'gtin, upc, ean, or isbn|gtin, upc, ean oder isbn|gtin, upc, ean ou isbn',
    'gtin, upc, ean o isbn|gtin, upc, ean of isbn|gtin, upc, ean lub isbn',
  ),
  name: names(
    "name|nom|nombre|nome|naam|nazwa|navn|όνομα|nimi|nama|名前|이름|имя|namn|ชื่อ|i̇sim|ім'я",
    'tên|名称|名稱',
  ),
  published: names(
    'published|veröffentlicht|publié|publicado|pubblicato|gepubliceerd|opublikowano',
    'opublikowany|udgivet|δημοσιευμένο|julkaistu|telah terbit|公開済み|발행됨|publisert',
    'опубликован|publicerad|เผยแพร่แล้ว|yayımlanmış|опубліковано|đã đăng|已发布|已發佈',
  ),
  featured: names(
    'is featured?|ist hervorgehoben?|hervorgehoben?|mis en avant?|¿está destacado?',
    'in primo piano?|uitgelicht?|em destaque?|é destaque?|wyróżniony produkt?|wyróżniony?',
    'er fremhævet (udvalgt)?|είναι προτεινόμενο;|on esittelyssä?|apakah diunggulkan?',
    'オススメですか?|추천 상품입니까?|er fremhevet?|рекомендуемый?|är utvald?|เป็นรายการเด่นหรือไม่',
    'öne çıkan?|рекомендовано?|nhãn nổi bật?|是推荐产品？|是特色商品？',
  ),
  visibility: names(
    'visibility in catalog|sichtbarkeit im katalog|katalogsichtbarkeit',
    'visibilité dans le catalogue|visibilidad en el catálogo|visibilità nel catalogo',
    'zichtbaarheid in catalogus|visibilidade no catálogo|widoczność w katalogu',
    'synlighed i katalog (shoppens frontend)|ορατότητα στον κατάλογο',
    'näkyvyys tuoteluettelossa|kenampakan pada katalog|カタログでの表示|카탈로그에 표시 여부',
    'synlighet i katalogen|видимость в каталоге|synlighet i katalog',
    'การมองเห็นในแค็ตตาล็อก|katalogda görünürlük|видимість в каталозі',
    'hiển thị trong danh mục|在列表页可见|目錄的可見度',
  ),
  shortDescription: names(
    'short description|kurzbeschreibung|description courte|descripción corta',
    'breve descrizione|descrizione breve|korte beschrijving|korte omschrijving',
    'descrição curta|breve descrição|krótki opis|kort beskrivelse|σύντομη περιγραφή',
    'lyhyt kuvaus|deskripsi singkat|簡単な説明|간단한 설명|descrição breve|краткое описание',
    'kort beskrivning|คำอธิบายแบบย่อ|kısa açıklama|короткий опис|mô tả ngắn|简短描述|簡短內容說明',
  ),
  description: names(
    'description|beschreibung|descripción|descrizione|beschrijving|descrição|opis',
    'beskrivelse|περιγραφή|kuvaus|deskripsi|説明|설명|описание|beskrivning|คำอธิบาย|açıklama',
    'опис|mô tả|描述',
  ),
  saleFrom: names(
    'date sale price starts|datum, an dem angebotspreis beginnt',
    'datum, an dem der angebotspreis beginnt|angebotspreis gültig ab',
    'date de début de promo|día en que empieza el precio rebajado',
    'data di inizio del prezzo in offerta|startdatum actieprijs',
    'data de preço promocional começa em|data rozpoczęcia promocji',
    'data rozpoczęcia obowiązywania ceny promocyjnej|den dato hvor tilbudsprisen starter',
    'ημερομηνία έναρξης εκπτωτικής τιμής|alennuksen aloituspäivä',
    'tanggal harga diskon dimulai|data di partenza del prezzo in saldo|セール価格の開始日',
    '판매 가격 시작 날짜|startdato for utsalgspris|data de início do preço promocional',
    'дата начала действия продажной цены|datum när reapriset börjar|วันเริ่มต้นลดราคา',
    'i̇ndirimli fiyatın başladığı tarih|початок акції|ngày bắt đầu giảm giá|促销开始日期',
    '折扣價開始日期',
  ),
  saleUntil: names(
    'date sale price ends|datum, an dem angebotspreis endet',
    'datum, an dem der angebotspreis endet|angebotspreis gültig bis|date de fin de promo',
    'día en que termina el precio rebajado|data di fine del prezzo in offerta',
    'einddatum actieprijs|data de preço promocional termina em|data zakończenia promocji',
    'data zakończenia obowiązywania ceny promocyjnej|den dato hvor tilbudsprisen slutter',
    'ημερομηνία λήξης εκπτωτικής τιμής|alennuksen päättymispäivä',
    "tanggal harga diskon berakhir|data in cui termina l'offerta|セール価格の終了日|판매 가격 종료 날짜",
    'sluttdato for utsalgspris|data de término do preço promocional',
    'дата окончания действия продажной цены|datum när reapriset upphör',
    'วันสิ้นสุดการลดราคา|i̇ndirimli fiyatın bittiği tarih|завершення акції',
    'ngày kết thúc giảm giá|促销截止日期|折扣價結束日期',
  ),
  taxStatus: names(
    'tax status|steuerstatus|état de la tva|statut fiscal|estado del impuesto',
    'stato delle imposte|btw status|status do imposto|status podatku|momsstatus',
    'κατάσταση φόρου|veron tila|status pajak|税状況|세금 상태|avgiftsstatus|status da taxa',
    'situação fiscal|статус налога|สถานะภาษี|vergi durumu|статус податку|trạng thái thuế',
    '税状态|稅金狀態',
  ),
  taxClass: names(
    'tax class|steuerklasse|classe de tva|classe tva|clase de impuesto',
    'aliquota di imposta|belastingklasse|classe de imposto|klasa podatkowa|momsklasse',
    'κατηγορία φόρου|veroluokka|kelas pajak|税区分|세금 클래스|avgiftsklasse|classe de taxa',
    'налоговый класс|momsgrupp|กลุ่มภาษี|vergi sınıfı|клас податку|lớp thuế|税类|稅率類別',
  ),
  inStock: names(
    'in stock?|vorrätig?|auf lager?|en stock?|¿existencias?|¿en inventario?|op voorraad?',
    'em estoque?|em stock?|w magazynie?|på lager?|σε απόθεμα;|varasto?|stok tersedia?',
    '在庫の有無|재고가 있나요?|в наличии?|i lager?|มีสินค้าในคลังสินค้า?|stokta?|в наявності?',
    'còn hàng?|有货？|有庫存？',
  ),
  stock: names(
    'stock|lager|bestand|lagerbestand|inventario|inventaire|magazzino|voorraad|estoque',
    'stan magazynowy|απόθεμα|varasto|stok|在庫|재고|magazyn|запасы|lagersaldo|คลังสินค้า',
    'запас|kho|库存|庫存',
  ),
  lowStock: names(
    'low stock amount|geringe lagermenge|montant de stock faible',
    'cantidad de bajo inventario|lage voorraad|quantidade baixa de estoque',
    'niski stan magazynowy|lavt lagerantal|χαμηλή ποσότητα αποθέματος',
    'varasto vähissä määrä|jumlah stok rendah|quantità in magazzino bassa|在庫量わずか|재고량 부족',
    'terskel for lite på lager|valor de stock baixo|величина малых запасов',
    'lågt lagerantal|düşük stok miktarı|низька кількість запасів|số lượng tồn kho ít|库存不足',
    '低庫存量',
  ),
  backorders: names(
    'backorders allowed?|lieferrückstände erlaubt?|rückstände erlaubt?',
    'autoriser les commandes de produits en rupture?',
    '¿permitir reservas de productos agotados?|abilita gli ordini arretrati?',
    'nabestellingen toestaan?|são permitidas encomendas?',
    'pozwalać na zamówienia oczekujące (na dostawę do magazynu)?|restordrer tilladt?',
    'lieferrückstande erlaubt?|να επιτρέπονται λίστες αναμονής;|salli jälkitoimitukset?',
    'perbolehkan inden?|お取り寄せを許可する?|품절 후 주문이 허용됐습니까?|restordre tillatt?',
    'permitir encomendas pendentes?|возможен ли предзаказ?|tillåt restnoteringar?',
    'อนุญาตให้จองสินค้าหรือไม่|yok satmaya izin?|дозволити резервування?',
    'cho phép đặt trước?|允许缺货下单？|允許無庫存下單嗎？',
  ),
  salePrice: names(
    'sale price|angebotspreis|tarif promo|prix promo|precio rebajado|prezzo in offerta',
    'actieprijs|preço promocional|cena promocyjna|tilbudspris|τιμή προσφοράς',
    'alennettu hinta|harga obral|セール価格|할인 가격|utsalgspris|цена распродажи|reapris',
    'ราคาที่ลด|i̇ndirimli satış fiyatı|ціна зі знижкою|giá khuyến mãi|促销价格|折扣價',
  ),
  regularPrice: names(
    'regular price|regulärer preis|normaler preis|tarif régulier|prix régulier',
    'precio normal|precio regular|prezzo di listino|reguliere prijs|preço|preço normal',
    'cena|cena regularna|normalpris|κανονική τιμή|normaali hinta|harga normal|標準価格|정상 가격',
    'ordinær pris|базовая цена|ordinarie pris|ราคาปกติ|normal fiyat|звичайна ціна',
    'giá bán thường|常规售价|原價',
  ),
  categories: names(
    'categories|kategorien|catégories|categorías|categorie|categorieën|categorias',
    'kategorie|kategorier|κατηγορίες|osastot|kategori|カテゴリー|카테고리|категории|หมวดหมู่',
    'kategoriler|категорії|danh mục|分类|分類',
  ),
  tags: names(
    'tags|schlagwörter|étiquettes|etiquetas|tag|tagi|ετικέτες|avainsanat|タグ|태그|stikkord',
    'метки|taggar|ป้ายกำกับ|etiketler|позначки|từ khóa|标签|標籤',
  ),
  shippingClass: names(
    "shipping class|versandklasse|classe d'expédition|classe de livraison|clase de envío",
    'classe di spedizione|verzendklasse|classe de entrega|klasa wysyłkowa',
    'forsendelsesklasse|κατηγορία αποστολής|toimitusluokka|kelas pengiriman|送料区分|배송 클래스',
    'fraktklasse|classe de envio|класс доставки|fraktklass|ประเภทการจัดส่ง',
    'gönderim sınıfı|клас доставки|lớp giao hàng|运费类|運送類別',
  ),
  images: names(
    'images|bilder|imágenes|immagini|immagine|afbeeldingen|imagens|obrazki|billeder',
    'εικόνες|kuvat|gambar-gambar|画像|이미지|изображения|ไฟล์รูปภาพ|görseller|зображення',
    'hình ảnh|图片|圖片',
  ),
  downloadLimit: names(
    'download limit|downloadlimit|limit pobrań|límite de descargas|downloadbegrænsning',
    'όριο μεταφόρτωσης|latausraja|limite de téléchargement|batas unduhan',
    'limite di download|ダウンロード制限|다운로드 한도|nedlastningsbegrensning|downloadlimiet',
    'limite de download|limite de descarregamento|лимит загрузок|nedladdningsgräns',
    'ลิมิตจำนวนดาวน์โหลด|i̇ndirme sınırı|ліміт завантажень|giới hạn tải xuống|下载限制|下載限制',
  ),
  downloadExpiry: names(
    'download expiry days|ablauftage des downloads|ważność pobierania|download udløbsdage',
    'ημέρες λήξης μεταφόρτωσης|días de caducidad de la descarga',
    "latauksen vanhenemisaika päivissä|jours d'expiration du téléchargement",
    'tanggal kedaluawarsa unduhan|scarica i giorni di scadenza|ダウンロード有効期限日|다운로드 만료일',
    'dager til utløpsdato for nedlastingen|dagen vervaltijd download',
    'dias para expirar o download|dias para expirar o descarregamento',
    'число дней до просроченной загрузки|ladda ned utgångsdagar|วันหมดอายุดาวน์โหลด',
    'i̇ndirme sona erme günü|число днів до закінчення завантаження|ngày hết hạn tải về',
    '下载的过期天数|下載點過期天數',
  ),
  parent: names(
    'parent|übergeordnetes produkt|eltern|superior|genitore|hoofd|ascendente',
    'element nadrzędny|nadrzędny|forældre|γονέας|ylempi taso|induk|親|상위|forelder|rodzic',
    'produto ascendente|pai|родительский|förälder|หลัก|ebeveyn|предок|gốc|父级|上層',
  ),
  grouped: names(
    'grouped products|gruppierte produkte|groupes de produits|produits groupés',
    'productos agrupados|prodotti raggruppati|gegroepeerde producten|produtos agrupados',
    'produkty grupowe|grupperede varer|ομαδοποιημένα προϊόντα|joukkotuotteet',
    'produk yang dikelompokkan|セット販売商品|그룹상품|grupperte produkter|grupo de produtos',
    'сгруппированные товары|grupperade produkter|สินค้ากลุ่ม|gruplanmış ürünler',
    'згруповані товари|các sản phẩm theo nhóm|分组产品|組合商品',
  ),
  upsells: names(
    'upsells|zusatzverkäufe|produits suggérés|ventas dirigidas|mersalg|αύξηση πωλήσεων',
    'parempi tuote (up-sell)|upsell|up-sell|アップセル|상향 판매|oppsalg|produkty "up-sell"',
    'aumentar vendas|aumenta vendas|апсейл|merförsäljning|up-sells|yukarı satışlar',
    'над продажі|交叉销售|追加銷售',
  ),
  crossSells: names(
    'cross-sells|cross-sells (querverkäufe)|ventes croisées|ventas cruzadas|krydssalg',
    'προϊόντα παράλληλης πώλησης|lisätuote (cross-sell)|cross-sell|クロスセル|교차 판매|kryssalg',
    'produkty "cross-sell"|venda cruzada|vendas cruzadas|кросселы|korsförsäljning',
    'çapraz satışlar|супутні товари|bán chéo|交叉销售|交叉銷售',
  ),
  externalUrl: names(
    'external url|externe url|url externe|url externa|url esterno|zewnętrzny adres url',
    'ekstern url (webadresse)|εξωτερικό url|ulkoinen verkko-osoite|url eksternal',
    'url esterna|外部 url|외부 url|ekstern url|url externo|внешний url|extern url|url ภายนอก',
    'harici url|зовнішній url|url ngoài|外部链接|外部網址',
  ),
  brands: names('brands|marken|marques|marcas|marchi|merken|marki|brand|marque'),
} as const;

/** Headings of an attribute's name and of its values; `%d` is the attribute's number. */
export const ATTRIBUTE_NAMES = names(
  'atributo %d nome|attribut %d name|attribut %d namn|attributo %d nome',
  'attributt %d navn|egenskab %d navn|naam eigenschap %d|nama atribut %d',
  "nazwa atrybutu %d|nitelik %d ismi|nom de l'attribut %d|nombre del atributo %d",
  'nome do atributo %d|ominaisuus %d nimi|tên thuộc tính %d|όνομα ιδιότητας %d',
  'имя атрибута %d|назва %d атрибуту|ชื่อคุณสมบัติ %d|属性 %d の名前|属性 %d 名称|屬性 %d 名稱',
  '속성 %d 이름',
);
export const ATTRIBUTE_VALUES = names(
  '%d значення атрибуту|atributo %d valor(es)|attribut %d värde(n)|attribut %d wert(e)',
  'attributo %d valuta(e)|attributt %d verdi(er)|egenskab %d værdi(er)',
  'giá trị thuộc tính %d|nilai atribut %d|nitelik %d değer(ler)i|ominaisuus %d arvo(t)',
  "valeur(s) de l'attribut %d|valor(es) del atributo %d|valores do atributo %d",
  'waarde eigenschap %d|wartości atrybutu %d|τιμή(ές) ιδιότητας %d',
  'значение(-я) аттрибута(-ов) %d|ค่าคุณสมบัติ %d|属性 %d の値|属性 %d 值|屬性 %d 值|속성 %d 값',
);

function names(...lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split('|'));
}
