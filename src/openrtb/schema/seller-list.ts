/** A list of the seller: blocked categories, advertisers and apps, allowed and blocked seats, allowed advertisers of a deal. */
import type Joi from 'joi';
import { list } from './list.ts';
import { text } from './rules.ts';

export const sellerList = (): Joi.ArraySchema => list(text(), { max: 1000 });
