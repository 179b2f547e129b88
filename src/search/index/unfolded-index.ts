import type { VectorKernel } from '../vectors/vector-kernel.ts';
import type { DocumentColumns } from './document-columns.ts';
import type { DocumentPostings } from './postings.ts';

/** An index in document order, from which a build copies documents. */
export interface UnfoldedIndex {
  readonly columns: DocumentColumns;
  readonly postings: DocumentPostings;
  readonly vectors: VectorKernel | null;
}
