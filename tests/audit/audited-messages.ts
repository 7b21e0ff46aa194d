/** The messages of the short audit, and messages with a planted defect that it must find. */
import { bidRequest } from '../../src/openrtb/schema/bid-request.ts';
import { joiPreferences, string } from '../../src/openrtb/schema/rules.ts';
import { findParts } from '../../load/audit/parts.ts';
import { plainBids, plainProducts, plainRequestBody } from '../../load/audit/plain.ts';
import { requestParts, sampleFor } from '../../load/audit/request-cases.ts';
import { sampleBidResponse, sampleProducts, sampleRequests } from '../../load/audit/samples.ts';
import type { AuditedMessage } from './audit-work.ts';
import { createInProcess, type Texts } from './exchange-in-process.ts';
import { plantedRule } from './planted-rule.ts';

const ordinary: Texts = {
  request: JSON.stringify(sampleRequests[0]),
  bids: JSON.stringify(sampleBidResponse),
  products: JSON.stringify(sampleProducts),
};

type Kind = 'request' | 'bids' | 'products' | 'planted';

export function auditedMessage(kind: Kind): AuditedMessage {
  if (kind === 'planted') return planted;
  const handle = createInProcess();
  const messages = { ...ordinary };
  const audited = { request: { parts: requestParts(), sampleFor }, bids: ofResponse(sampleBidResponse), products: ofResponse(sampleProducts) };
  const plain = { request: plainRequestBody, bids: plainBids, products: plainProducts };
  return {
    ...audited[kind],
    plain: plain[kind],
    handle: (text) => handle({ ...messages, [kind]: text }),
  };
}

const ofResponse = (sample: object): Pick<AuditedMessage, 'parts' | 'sampleFor'> => ({
  parts: findParts(undefined, [sample]),
  sampleFor: () => sample,
});

/** The bid request with a field that no list of the audit names. */
const schema = bidRequest.append({ planted: string().custom(plantedRule) });

const planted: AuditedMessage = {
  parts: requestParts(schema).filter(({ steps }) => steps[0] === 'planted' || steps[0] === 'id'),
  sampleFor,
  plain: plainRequestBody,
  handle: (text) => schema.prefs(joiPreferences).validate(JSON.parse(text), { context: { natives: new Map() } }),
};
