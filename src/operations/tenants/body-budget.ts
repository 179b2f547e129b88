import { AppError } from '../../domain/errors.ts';

const MIB = 1024 * 1024;

/**
 * Most bytes of request bodies in memory at a time. One key can hold four of the largest bodies
 * (4 MiB), or sixteen full batches of hits (1 MiB). An address can hold twice that, because many keys
 * may share a proxy. The total stays far below what the process needs anyway, even though decoding
 * and parsing multiply a body. No key can exhaust its address's budget, and no address can exhaust the
 * total. Callers without a key share the budget of one key, and each of their addresses may hold half
 * of it, so that callers with a key always have room.
 */
export const BODY_BYTES_MAX = {
  key: 16 * MIB,
  address: 32 * MIB,
  public: 16 * MIB,
  publicAddress: 8 * MIB,
  all: 64 * MIB,
} as const;

/** When to try again. It is short because a body is read soon after its arrival. */
const RETRY_MS = 1000;

/** Who sends a body. */
export interface BodySender {
  /** Null: sent without a key. */
  readonly keyId: string | null;
  /** The network of the client's address. */
  readonly network: string;
}

/** The bytes of one body. Disposing of the claim releases them. */
export interface BodyClaim extends Disposable {
  /** Throws `unavailable`, and adds nothing, if the bytes would exceed a limit. */
  add(bytes: number): void;
}

/** Counts the bytes of request bodies in memory: per key, per client network and in total. */
export class BodyBudget {
  readonly #bytesByHolder = new Map<string, number>();
  #bytes = 0;
  #refusals = 0;

  /** Bytes in memory now. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Bodies refused so far. */
  get refusals(): number {
    return this.#refusals;
  }

  /** Starts a claim of zero bytes. Calls `onRefusal` before `add` throws. */
  claim(sender: BodySender, onRefusal: () => void = () => undefined): BodyClaim {
    const holders = holdersOf(sender);
    let claimed = 0;
    const refuse = (who: string) => {
      onRefusal();
      return this.#refuse(who);
    };
    return {
      add: (bytes) => {
        if (this.#bytes + bytes > BODY_BYTES_MAX.all) throw refuse('The service receives');
        for (const { name, max, refusal } of holders) {
          if (this.#held(name) + bytes > max) throw refuse(refusal);
        }
        for (const { name } of holders) this.#change(name, bytes);
        this.#bytes += bytes;
        claimed += bytes;
      },
      [Symbol.dispose]: () => {
        for (const { name } of holders) this.#change(name, -claimed);
        this.#bytes -= claimed;
        claimed = 0;
      },
    };
  }

  #held(name: string): number {
    return this.#bytesByHolder.get(name) ?? 0;
  }

  #change(name: string, bytes: number): void {
    const held = this.#held(name) + bytes;
    if (held === 0) this.#bytesByHolder.delete(name);
    else this.#bytesByHolder.set(name, held);
  }

  #refuse(who: string): AppError {
    this.#refusals += 1;
    const message = `${who} too many bytes of request bodies at the same time.`;
    return new AppError('unavailable', message, { retryAfterMs: RETRY_MS });
  }
}

interface Holder {
  readonly name: string;
  readonly max: number;
  readonly refusal: string;
}

function holdersOf({ keyId, network }: BodySender): readonly Holder[] {
  const { key, address, publicAddress } = BODY_BYTES_MAX;
  const refusal = 'This address sends';
  if (keyId === null)
    return [
      { name: 'public', max: BODY_BYTES_MAX.public, refusal: 'Callers without a key send' },
      { name: `public:${network}`, max: publicAddress, refusal },
    ];
  return [
    { name: `key:${keyId}`, max: key, refusal: 'This key sends' },
    { name: `address:${network}`, max: address, refusal },
  ];
}
