import type { Cli } from './cli.ts';

/** Time between two lines when stderr is not a terminal. */
const LINE_EVERY_MS = 5000;
const DRAW_EVERY_MS = 100;
const BAR_WIDTH = 24;

export interface ProgressState {
  /** How much of `total` is done, in any unit; a null total is unknown. */
  readonly done: number;
  readonly total: number | null;
  readonly stage: string;
  readonly count: number;
  /** As another process has measured it. Default: measured here, from the beginning of the stage. */
  readonly pace?: Pace;
}

/** Null where it is not known. */
export interface Pace {
  readonly perSecond: number | null;
  readonly remainingSeconds: number | null;
}

export interface Progress {
  update(state: ProgressState): void;
  /** Prints whole lines in the place of the bar, which the next update draws below them. */
  note(text: string): void;
  end(): void;
}

/**
 * Reports progress: a bar with stage, rate and remaining time on a terminal, a line every five
 * seconds elsewhere, or JSON Lines on request, with a final line. Rate and remaining time refer to
 * the stage.
 */
export function startProgress(cli: Cli, mode: 'auto' | 'json' | 'off' = 'auto'): Progress {
  const nowMs = () => cli.clock.monotonicMs();
  let startedMs = nowMs();
  const everyMs = mode === 'json' || !cli.isTerminal ? LINE_EVERY_MS : DRAW_EVERY_MS;
  let lastMs = cli.isTerminal ? 0 : startedMs;
  let drawn = false;
  let last: ProgressState | null = null;
  const jsonOf = (state: ProgressState) => {
    const { share, perSecond, remainingSeconds } = measured(state, nowMs() - startedMs);
    const { stage, count } = state;
    return `${JSON.stringify({ stage, share, count, perSecond, remainingSeconds })}\n`;
  };
  return {
    update(state) {
      if (last !== null && state.stage !== last.stage) startedMs = nowMs();
      last = state;
      if (mode === 'off' || nowMs() - lastMs < everyMs) return;
      lastMs = nowMs();
      if (mode === 'json') return cli.note(jsonOf(state));
      const { share, perSecond, remainingSeconds } = measured(state, lastMs - startedMs);
      const percent = share === null ? '' : ` ${Math.round(share * 100)} %`;
      const rate = perSecond === null ? '' : `  ${perSecond}/s`;
      const remaining = remainingSeconds === null ? '' : `  ${remainingSeconds} s left`;
      const text = `${state.stage}${percent}  ${state.count} rows${rate}${remaining}`;
      if (!cli.isTerminal) return cli.note(`${text}\n`);
      const filled = Math.round((share ?? 0) * BAR_WIDTH);
      // A line that wraps could not be drawn over.
      const line = `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)} ${text}`;
      cli.note(`\r${line.slice(0, cli.columns - 1)}\u001b[K`);
      drawn = true;
    },
    note(text) {
      if (drawn) cli.note('\r\u001b[K');
      drawn = false;
      cli.note(text);
    },
    end() {
      if (mode === 'json' && last !== null) cli.note(jsonOf(last));
      if (drawn) cli.note('\r\u001b[K');
      drawn = false;
    },
  };
}

function measured({ done, total, count, pace }: ProgressState, ms: number) {
  const seconds = ms / 1000;
  const share = total === null ? null : total === 0 ? 1 : Math.min(1, done / total);
  if (pace !== undefined) return { share, ...pace };
  return {
    share,
    perSecond: Math.round(count / Math.max(seconds, 0.001)),
    remainingSeconds: share === null || share === 0 ? null : Math.ceil(seconds / share - seconds),
  };
}
