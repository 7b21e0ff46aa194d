/** A rule whose work is quadratic in the length of its text: the audit must find it. */
import type Joi from 'joi';

export const plantedRule: Joi.CustomValidator<string> = (value) => {
  let equal = 0;
  for (let one = 0; one < value.length; one++) {
    for (let other = 0; other < value.length; other++) if (value[one] === value[other]) equal++;
  }
  return equal >= value.length ? value : '';
};
