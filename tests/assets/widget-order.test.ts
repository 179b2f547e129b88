import { describe, expect, test } from 'bun:test';
import { type BridgedPage, found, OFFERING, showing } from '../support/widget-page.ts';

describe('buying and booking', () => {
  /** The widget with one offering whose tool answers so, clicked once. */
  async function ordered(
    answer: object,
    { offering = OFFERING as object, opens = true }: { offering?: object; opens?: boolean } = {},
  ): Promise<BridgedPage & { calls: object[]; opened: string[] }> {
    const calls: object[] = [];
    const opened: string[] = [];
    const page = await showing(found([offering]), {
      prepare: (bridge) => {
        bridge.oncalltool = async (call) => {
          calls.push({ name: call.name, arguments: call.arguments });
          if (answer instanceof Error) throw answer;
          return { content: [], ...answer } as never;
        };
        bridge.onopenlink = async ({ url }) => {
          opened.push(url);
          return opens ? {} : { isError: true };
        };
      },
    });
    page.click('button.main');
    expect([
      page.text('button.main'),
      page.window.document.querySelector('button.main')?.getAttribute('aria-busy'),
    ]).toEqual(['Opening… Skerry French Press', 'true']);
    page.click('button.main');
    await page.settle();
    await page.settle();
    return { ...page, calls, opened };
  }

  test('asks the server once, however often it is clicked, and lets the host open the link', async () => {
    const checkoutUrl = 'https://shop.example.com/cart/42:1';
    const page = await ordered({ structuredContent: { checkoutUrl } });
    expect(page.calls).toEqual([
      { name: 'single_product_express_checkout', arguments: { product_id: OFFERING.id } },
    ]);
    expect(page.opened).toEqual([checkoutUrl]);
    expect([page.text('.outcome'), page.text('button.main')]).toEqual([
      'Opened shop.example.com.',
      'Buy Skerry French Press',
    ]);
    await page.close();
  });

  test('books what is bookable', async () => {
    const url = 'https://book.example.com/x';
    const page = await ordered(
      { structuredContent: { url } },
      { offering: { ...OFFERING, bookable: true } },
    );
    expect(page.calls).toEqual([
      { name: 'get_booking_link', arguments: { offering_id: OFFERING.id } },
    ]);
    expect(page.opened).toEqual([url]);
    await page.close();
  });

  test('says that it is sold out, and stops offering it', async () => {
    const content = [{ type: 'text', text: 'It is out of stock.' }];
    const page = await ordered({ isError: true, content, _meta: { 'vitrine/soldOut': true } });
    expect([page.text('.outcome'), page.text('button.main')]).toEqual([
      'It is out of stock.',
      'Sold out Skerry French Press',
    ]);
    page.click('button.main');
    await page.settle();
    expect([page.calls.length, page.opened]).toEqual([1, []]);
    await page.close();
  });

  test('reports other failures and lets people try again', async () => {
    const content = [{ type: 'text', text: 'There is no such product.' }];
    const refused = await ordered({ isError: true, content });
    expect([refused.text('.outcome'), refused.text('button.main')]).toEqual([
      'There is no such product.',
      'Buy Skerry French Press',
    ]);
    const broken = await ordered(new Error('The server is away'));
    expect(broken.text('.outcome')).toContain('The server is away');
    expect(broken.text('button.main')).toBe('Buy Skerry French Press');
    await Promise.all([refused.close(), broken.close()]);
  });

  const TEE = {
    ...OFFERING,
    options: [
      { name: 'Size', values: ['S', 'M'], soldOut: [] },
      { name: 'Colour', values: ['Red', 'Blue'], soldOut: [] },
    ],
    variants: [
      { id: 'm-red', title: 'M / Red', price: '22.00', available: true },
      { id: 's-red', title: 'S / Red', price: '21.00', available: true },
      { id: 's-blue', title: 'S / Blue', price: '20.00', available: false },
    ],
  };

  /** The widget with this offering, whose checkout answers so, and what was asked of it. */
  async function choosing(offering: object, answer: object = {}) {
    const calls: unknown[] = [];
    const page = await showing(found([offering]), {
      prepare: (bridge) => {
        bridge.oncalltool = async (call) => {
          calls.push(call.arguments);
          return { content: [], ...answer } as never;
        };
      },
    });
    const lists = () =>
      [...page.window.document.querySelectorAll('select')] as unknown as HTMLSelectElement[];
    const choose = (at: number, words: string) => {
      const list = lists()[at]!;
      list.value = [...list.options].find(({ text }) => text.startsWith(words))!.value;
      list.dispatchEvent(new page.window.Event('change', { bubbles: true }) as never);
    };
    const buy = async () => {
      page.click('button.main');
      await page.settle();
      await page.settle();
    };
    return { ...page, calls, lists, choose, buy };
  }

  test('buys the variant that is chosen, at its price, and nothing before one is', async () => {
    const page = await choosing(TEE);
    expect(page.text('.options')).toBe('SizeChoose…SMColourChoose…RedBlue');
    await page.buy();
    expect([page.calls, page.text('.outcome')]).toEqual([[], 'Please choose first.']);
    expect(page.window.document.activeElement).toBe(page.lists()[0] as never);
    page.choose(0, 'M');
    page.choose(1, 'Red');
    expect(page.text('.price')).toBe('Price €22.00');
    await page.buy();
    expect(page.calls).toEqual([{ product_id: OFFERING.id, variant: 'm-red' }]);
    // Beyond the variants that are listed, words say which.
    page.choose(1, 'Blue');
    await page.buy();
    expect(page.calls[1]).toEqual({ product_id: OFFERING.id, variant: 'M / Blue' });
    page.choose(0, 'S');
    expect([page.text('button.main'), page.text('.availability')]).toEqual([
      'Sold out Skerry French Press',
      'Not available',
    ]);
    await page.buy();
    expect(page.calls).toHaveLength(2);
    await page.close();
  });

  test('shows the picture of the variant that is chosen, else the offering’s own', async () => {
    const at = (name: string) => `https://shop.example.com/${name}.jpg`;
    const page = await choosing({
      ...TEE,
      image: at('m-red'),
      images: [at('tee')],
      matchedVariant: { id: 'm-red', title: 'M / Red', open: [] },
      variantImages: { 'm-red': at('m-red'), 's-blue': at('s-blue') },
    });
    const shown = () => page.window.document.querySelector('.picture img')?.getAttribute('src');
    expect(shown()).toBe(at('m-red'));
    page.choose(0, 'S');
    expect(shown()).toBe(at('tee'));
    page.choose(1, 'Blue');
    expect(shown()).toBe(at('s-blue'));
    page.choose(0, 'M');
    page.choose(1, 'Red');
    expect(shown()).toBe(at('m-red'));
    await page.close();
  });

  test('has chosen what the question chose, and leaves open what it left open', async () => {
    const matchedVariant = { id: 's-red', title: 'S / Red', open: ['Size'] };
    const page = await choosing({ ...TEE, price: '21.00', matchedVariant });
    expect(page.lists().map(({ value }) => value)).toEqual(['', '0']);
    const settled = await choosing({ ...TEE, matchedVariant: { ...matchedVariant, open: [] } });
    await settled.buy();
    expect(settled.calls).toEqual([{ product_id: OFFERING.id, variant: 's-red' }]);
    await Promise.all([page.close(), settled.close()]);
  });

  test('lets people choose among what the shop offers when it asks back', async () => {
    const choices = [
      { id: 'a', title: '<b>A</b>', price: '1.00', available: true },
      { id: 'b', title: 'B', price: null, available: false },
    ];
    const page = await choosing(OFFERING, { isError: true, _meta: { 'vitrine/choices': choices } });
    await page.buy();
    expect(page.text('.options')).toBe('VariantChoose…<b>A</b>, €1.00B – sold out');
    page.choose(0, '<b>A</b>');
    await page.buy();
    expect(page.calls).toEqual([
      { product_id: OFFERING.id },
      { product_id: OFFERING.id, variant: 'a' },
    ]);
    await page.close();
  });

  test.each([
    ['options that are no list', { options: 'x', variants: 5, matchedVariant: [] }],
    ['options without values', { options: [{ name: 'Size' }, null, 7] }],
    ['values that are no text', { options: [{ name: {}, values: [1, null, {}], soldOut: 3 }] }],
  ])('%s leave a card standing', async (_, change) => {
    const page = await choosing({ ...OFFERING, ...change });
    expect(page.text('.options')).toBe('');
    await page.buy();
    expect(page.calls).toEqual([{ product_id: OFFERING.id }]);
    await page.close();
  });

  test.each([
    ['https://shop.example.com/a', true],
    ['http://127.0.0.1:8787/a', true],
    ['http://localhost/a', true],
    ['http://[::1]:8787/a', true],
    ['http://shop.example.com/a', false],
    ['http://localhost.evil.example/a', false],
    ['http://127.0.0.1.evil.example/a', false],
    ['https://shop.example.com@evil.example/', false],
    ['javascript:alert(1)', false],
    ['javascript://localhost/%0aalert(1)', false],
    ['data:text/html,x', false],
    ['file://localhost/etc/passwd', false],
    ['//evil.example/x', false],
    ['/relative', false],
    ['', false],
    [42, false],
    [null, false],
  ])('link %p: opened %p', async (checkoutUrl, isOpened) => {
    const page = await ordered({ structuredContent: { checkoutUrl } });
    expect(page.opened.length).toBe(isOpened ? 1 : 0);
    if (!isOpened)
      expect(page.text('.outcome')).toBe('The shop gave no link that is safe to open.');
    await page.close();
  });

  test('offers the link itself when the host will not open it', async () => {
    const checkoutUrl = 'https://shop.example.com/cart/42:1';
    const page = await ordered({ structuredContent: { checkoutUrl } }, { opens: false });
    const link = page.window.document.querySelector('.outcome a');
    expect([link?.getAttribute('href'), link?.textContent]).toEqual([
      checkoutUrl,
      'Continue at shop.example.com',
    ]);
    await page.close();
  });

  test('asks in the conversation where tools cannot be called, and offers nothing where it cannot', async () => {
    const messages: unknown[] = [];
    const asking = await showing(found([OFFERING]), {
      capabilities: { message: { text: {} } },
      prepare: (bridge) => {
        bridge.onmessage = async (message) => {
          messages.push(message);
          return {};
        };
      },
    });
    asking.click('button.main');
    await asking.settle();
    const text = `Please get the checkout link for offering ${OFFERING.id}.`;
    expect(messages).toEqual([{ role: 'user', content: [{ type: 'text', text }] }]);
    expect(asking.text('.outcome')).toBe('Asked the assistant.');
    const mute = await showing(found([OFFERING]), { capabilities: {} });
    expect(mute.window.document.querySelector('button.main')).toBeNull();
    await Promise.all([asking.close(), mute.close()]);
  });
});
