/** A planted defect: an input with an x breaks a rule of its target. */
import { check } from '../target.ts';
import { plant } from './plant.ts';

export const target = plant((text) => check(!text.includes('x'), 'the planted rule is broken'));
