/** What is wrong with a configuration: every problem, each on a line of its own. */
import type Joi from 'joi';

export const readAllProblems: Joi.ValidationOptions = {
  abortEarly: false,
  errors: { label: 'path', wrap: { label: false } },
};

export const describeProblems = (error: Joi.ValidationError): string[] => error.details.map(({ message }) => message);

/** Thrown for a configuration that cannot be used. */
export class BadConfiguration extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`the configuration has ${problems.length} problem(s)`);
    this.name = 'BadConfiguration';
    this.problems = problems;
  }
}
