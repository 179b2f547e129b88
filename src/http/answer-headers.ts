/** By lower-case name. A plain object, because a `Headers` is copied into the answer all the same. */
export type AnswerHeaders = Record<string, string>;
