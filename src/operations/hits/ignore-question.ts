import Type from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { normalizeQuestion } from '../../domain/hit.ts';
import { insertAuditEntry } from '../../storage/audit-log.ts';
import { findIgnoredQuestions, saveIgnoredQuestion } from '../../storage/ignored-questions.ts';
import { defineOperation } from '../define-operation.ts';
import { resolveOrganization } from '../tenants/organizations.ts';
import type { HitServices } from './hit-services.ts';

/** The most questions that an organization can ignore. */
const IGNORED_MAX = 1000;

/** Leaves a question out of those without a good answer, or takes it in again. The counts stay. */
export const ignoreQuestion = defineOperation({
  name: 'hits.ignore',
  input: Type.Object({
    organization: Type.Optional(Type.String()),
    question: Type.String(),
    isIgnored: Type.Optional(Type.Boolean({ description: 'False: take it in again.' })),
  }),
  /** Throws `invalid_input` for an empty question, and for more than `IGNORED_MAX`. */
  async run(services: HitServices, { organization: reference, question: text, isIgnored = true }) {
    const { db, platform } = services;
    const organization = resolveOrganization(services, reference);
    const question = normalizeQuestion(text);
    if (question === null) throw new AppError('invalid_input', 'The question is empty.');
    const former = await findIgnoredQuestions(db, organization.key);
    if (former.includes(question) === isIgnored) return { ignored: former };
    if (isIgnored && former.length >= IGNORED_MAX)
      throw new AppError('invalid_input', `At most ${IGNORED_MAX} questions can be ignored.`);
    await db.write([
      saveIgnoredQuestion(organization.key, { question, isIgnored }),
      insertAuditEntry(db, {
        at: platform.now(),
        organizationId: organization.id,
        event: 'question.ignored',
        details: { question, isIgnored },
      }),
    ]);
    return { ignored: await findIgnoredQuestions(db, organization.key) };
  },
});
