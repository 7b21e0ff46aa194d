/** Rules for strings with a format: domain names, https URLs, US Privacy strings, Native Ads versions. */
import { isIP } from 'node:net';
import type Joi from 'joi';
import { describeCharacter } from '../../json/describe-value.ts';
import { readAgentUrl } from '../agent-url.ts';
import { usPrivacyPattern } from '../us-privacy.ts';

const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const domain = new RegExp(`^(?:${label}\\.)+${label}$`);

/** A host name of at least two labels, whose last label is not a number. */
export const domainName: Joi.CustomValidator<string> = (value, helpers) =>
  domain.test(value) && !/\.\d+$/.test(value)
    ? value
    : helpers.error('string.domain', { problem: domainProblem(value) });

function domainProblem(value: string): string {
  if (isIP(value) !== 0) return 'got an IP address';
  if (value.includes('://')) return 'got a URL; send only its host';
  const wrong = value.search(/[^A-Za-z0-9.-]/);
  if (wrong !== -1) return characterProblem(value, wrong);
  if (value.endsWith('.')) return 'host ends with a dot';
  const labels = value.split('.');
  if (labels.length === 1) return 'host has only one label';
  for (const [index, part] of labels.entries()) {
    if (part === '') return `label ${index + 1} of the host is empty`;
    if (part.length > 63) return `label ${index + 1} of the host has ${part.length} characters, at most 63 are allowed`;
    if (part.startsWith('-') || part.endsWith('-'))
      return `label ${index + 1} of the host starts or ends with a hyphen`;
  }
  return 'the last label of the host is a number';
}

function characterProblem(host: string, index: number): string {
  if (host[index] === '_') return `host contains an underscore at position ${index}`;
  const problem = `host contains ${describeCharacter(host, index)} at position ${index}`;
  return host.charCodeAt(index) > 0x7f ? `${problem}; use punycode` : problem;
}

/** An absolute https URL. */
export const httpsUrl: Joi.CustomValidator<string> = (value, helpers) => {
  const url = readAgentUrl(value);
  return 'canonical' in url ? value : helpers.error('value.httpsUrl', { problem: url.problem });
};

/** The IAB's US Privacy string, version 1, in any case. */
export const usPrivacyString: Joi.CustomValidator<string> = (value, helpers) =>
  usPrivacyPattern.test(value) ? value : helpers.error('value.usPrivacy', { problem: usPrivacyProblem(value) });

function usPrivacyProblem(value: string): string {
  if (value.length !== 4) return `it has ${value.length} ${value.length === 1 ? 'character' : 'characters'}, not 4`;
  if (value[0] !== '1') return `its version is ${describeCharacter(value, 0)}, not 1`;
  const wrong = 1 + value.slice(1).search(/[^YN-]/i);
  return `got ${describeCharacter(value, wrong)} at position ${wrong}, where only Y, N and - are allowed`;
}

const supportedVersions = ['1', '1.0', '1.1', '1.2'];

/** A version of Native Ads: digits and dots, and supported by the exchange. */
export const nativeVersion: Joi.CustomValidator<string> = (value, helpers) => {
  if (supportedVersions.includes(value)) return value;
  return helpers.error(/^[\d.]+$/.test(value) ? 'native.versionUnsupported' : 'native.version');
};
