/** The schema behind the rule of a list: Joi's description shows a rule of ours only as a function. */
import type Joi from 'joi';

const items = new WeakMap<object, Joi.Schema>();

export const itemOf = (rule: object): Joi.Schema | undefined => items.get(rule);

export const setItem = (rule: object, item: Joi.Schema): void => {
  items.set(rule, item);
};
