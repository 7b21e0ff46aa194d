/** A rule whose work is quadratic in the length of its text, though small: the audit must find it. */
import type Joi from 'joi';

const step = 8;

export const plantedRule: Joi.CustomValidator<string> = (value) => {
  let equal = 0;
  for (let one = 0; one < value.length; one += step) {
    for (let other = 0; other < value.length; other += step) if (value[one] === value[other]) equal++;
  }
  return equal >= value.length / step ? value : '';
};
