/** The address of a partner in the partners file. */
import Joi from 'joi';

/** http or https, with neither credentials nor a fragment, which would be lost; a query only where it has a meaning. */
export const endpoint = ({ mayHaveQuery }: { mayHaveQuery: boolean }): Joi.StringSchema =>
  Joi.string()
    .custom((value: string, helpers) => {
      const url = URL.parse(value);
      const isPlain = url && url.username === '' && url.password === '' && url.hash === '';
      const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
      return isPlain && isWeb && (mayHaveQuery || url.search === '') ? value : helpers.error('endpoint');
    })
    .messages({
      endpoint: `{#label} must be an http or https address without credentials${mayHaveQuery ? '' : ', query'} or fragment`,
    });
