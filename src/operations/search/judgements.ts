import Type from 'typebox';
import {
  deleteJudgement,
  findJudgements,
  saveJudgement,
} from '../../storage/catalog/judgements.ts';
import { defineOperation } from '../define-operation.ts';
import { resolveOrganization } from '../tenants/organizations.ts';
import type { SearchServices } from './search-services.ts';

const OrganizationReference = Type.Optional(Type.String());
const Question = Type.String({ minLength: 1, maxLength: 1024 });

/** The most judgements listed at once. */
const LISTED_MAX = 100_000;

/** Saves or deletes an operator's judgement of an answer. */
export const judge = defineOperation({
  name: 'judgement.save',
  input: Type.Object({
    organization: OrganizationReference,
    question: Question,
    externalId: Type.String({ minLength: 1, maxLength: 200 }),
    grade: Type.Union([Type.Enum([0, 1, 2, 3]), Type.Null()], {
      description: '0 wrong to 3 exactly right; null takes the judgement back.',
    }),
  }),
  async run(services: SearchServices, { organization: reference, question, externalId, grade }) {
    const { db, platform } = services;
    const { key } = resolveOrganization(services, reference);
    const judgement = { question: question.trim(), externalId };
    await db.write([
      grade === null
        ? deleteJudgement(db, key, judgement)
        : saveJudgement(db, key, { ...judgement, grade, judgedAt: platform.now() }),
    ]);
    return { ...judgement, grade };
  },
});

export const listJudgements = defineOperation({
  name: 'judgement.list',
  input: Type.Object({ organization: OrganizationReference, question: Type.Optional(Question) }),
  async run(services: SearchServices, { organization: reference, question }) {
    const { key } = resolveOrganization(services, reference);
    const found = await findJudgements(services.db, key, {
      ...(question === undefined ? {} : { question: question.trim() }),
      limit: LISTED_MAX,
    });
    return found.map(({ judgedAt, ...judgement }) => ({
      ...judgement,
      judgedAt: new Date(judgedAt).toISOString(),
    }));
  },
});
