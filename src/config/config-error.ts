/** The error for an invalid configuration, with every problem found in it. */
import type Joi from 'joi';

export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`invalid configuration: ${problems.length} problem(s)`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Joi options that report all problems, each with the path of its value. */
export const reportAllProblems: Joi.ValidationOptions = {
  abortEarly: false,
  errors: { label: 'path', wrap: { label: false } },
};

export const describeProblems = (error: Joi.ValidationError): string[] => error.details.map(({ message }) => message);
