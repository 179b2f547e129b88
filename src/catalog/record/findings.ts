import type { Fault, RawRecord, RecordText } from './reader.ts';

/** The position of a record in its file. */
interface Position {
  readonly file: string;
  readonly line: number;
  readonly record: number;
  readonly raw: RawRecord;
}

/** What is wrong with one value. Contains neither the value nor a library's message. */
export interface Finding {
  readonly column: string | null;
  readonly code: string;
  readonly message: string;
}

/** Collects the faults of one record, so that all are reported together. */
export class Findings {
  readonly faults: Fault[] = [];
  externalId: string | null = null;
  #position: Position;
  #isRejected = false;

  constructor(position: Position) {
    this.#position = position;
  }

  /** Whether the record is rejected. */
  get isRejected(): boolean {
    return this.#isRejected;
  }

  /** Rejects the record. */
  error(finding: Finding): void {
    this.#isRejected = true;
    this.faults.push(this.#fault(finding, 'error'));
  }

  /** Rejects the part of the record on this line, such as one variant. */
  partialError(finding: Finding): void {
    this.faults.push(this.#fault(finding, 'error'));
  }

  /** Rejects the record for a fault that has already been reported. */
  reject(): void {
    this.#isRejected = true;
  }

  /** Sets the position of the findings that follow. */
  moveTo({ line, record }: Pick<Position, 'line' | 'record'>): void {
    this.#position = { ...this.#position, line, record };
  }

  /** Accepts the record without this value. */
  warning(finding: Finding): void {
    this.faults.push(this.#fault(finding, 'warning'));
  }

  #fault({ column, code, message }: Finding, severity: Fault['severity']): Fault {
    const { file, line, record, raw } = this.#position;
    return {
      file,
      line,
      record,
      externalId: this.externalId,
      column,
      code,
      message,
      severity,
      raw,
    };
  }
}

/** Creates findings for a record of a format that is not a table; its raw text goes into one column. */
export function recordFindings(
  file: string,
  { line, record, text }: Omit<RecordText, 'problem'>,
  column: string,
): { raw: RawRecord; findings: Findings } {
  const raw = { columns: [column], rows: [{ line, fields: [text] }] };
  return { raw, findings: new Findings({ file, line, record, raw }) };
}
