/** The Joi rule for a partner's endpoint. */
import Joi from 'joi';

/** http or https, without credentials or a fragment; with a query only if the adapter keeps it. */
export const endpoint = ({ allowQuery }: { allowQuery: boolean }): Joi.StringSchema =>
  Joi.string()
    .custom((value: string, helpers) => {
      const url = URL.parse(value);
      const isPlain = url && url.username === '' && url.password === '' && url.hash === '';
      const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
      return isPlain && isHttp && (allowQuery || url.search === '') ? value : helpers.error('endpoint');
    })
    .messages({
      endpoint: `{#label} must be an http or https URL without credentials${allowQuery ? '' : ', query'} or fragment`,
    });
