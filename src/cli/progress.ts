import type { Cli } from './cli.ts';

/** Between two lines where nobody watches a screen. */
const LINE_EVERY_MS = 5000;
const DRAW_EVERY_MS = 100;
const BAR_WIDTH = 24;

export interface Progress {
  /** `done` of `total` in any unit, with what to say behind the bar. */
  update(state: { done: number; total: number; stage: string; count: number }): void;
  end(): void;
}

/** A bar with rate and remaining time on a screen, a line every five seconds elsewhere, JSON lines if asked. */
export function startProgress(
  cli: Cli,
  options: { mode: 'auto' | 'json' | 'off'; nowMs: () => number },
): Progress {
  const { mode, nowMs } = options;
  const startedMs = nowMs();
  const everyMs = mode === 'json' || !cli.isTerminal ? LINE_EVERY_MS : DRAW_EVERY_MS;
  let lastMs = cli.isTerminal ? 0 : startedMs;
  let drawn = false;
  return {
    update({ done, total, stage, count }) {
      if (mode === 'off' || nowMs() - lastMs < everyMs) return;
      lastMs = nowMs();
      const seconds = (lastMs - startedMs) / 1000;
      const share = total === 0 ? 1 : Math.min(1, done / total);
      const rate = Math.round(count / Math.max(seconds, 0.001));
      const remaining = share > 0 ? Math.ceil(seconds / share - seconds) : null;
      if (mode === 'json') {
        const line = { stage, share, count, perSecond: rate, remainingSeconds: remaining };
        return cli.note(`${JSON.stringify(line)}\n`);
      }
      const text = `${stage} ${Math.round(share * 100)} %  ${count} rows  ${rate}/s  ${remaining === null ? '' : `${remaining} s left`}`;
      if (!cli.isTerminal) return cli.note(`${text}\n`);
      const filled = Math.round(share * BAR_WIDTH);
      cli.note(`\r${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)} ${text}\u001b[K`);
      drawn = true;
    },
    end() {
      if (drawn) cli.note('\r\u001b[K');
    },
  };
}
