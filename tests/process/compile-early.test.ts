/** The flags with which workers compile early: this version of Node.js must know them, and their defaults must be later. */
import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { flags } from '../../src/warm-up/compile-early.ts';

const options = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });

test.each(flags.map((flag) => flag.split('=') as [string, string]))(
  '%s is a flag with a higher default',
  (name, value) => {
    const defaultValue = new RegExp(`type: int  default: ${name}=(\\d+)`).exec(options)?.[1];
    expect(Number(defaultValue)).toBeGreaterThan(Number(value));
  },
);
