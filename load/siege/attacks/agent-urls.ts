/** Format URLs whose host has as many distinct non-ASCII characters as fit: the host name encoding is quadratic in them. */
import { type Attack, once, sendAtAllowedRate } from '../attack.ts';
import { bidRequest, impression, ordinaryNative } from '../traffic/bid-request.ts';
import { post } from '../traffic/http-request.ts';

/** First characters of blocks with thousands of letters: CJK, Hangul, Yi, CJK extension A. */
const blocks = [0x4e00, 0xac00, 0xa000, 0x3400];

const distinctCharacters = (from: number, length: number): string =>
  Array.from({ length }, (_, index) => String.fromCodePoint(from + index)).join('');

const formats = (count: number, hostOf: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => ({ agent_url: `https://${hostOf(index)}/`, id: `format_${index}` }));

const withFormats = (adcpFormats: readonly object[]): Buffer =>
  post(JSON.stringify(bidRequest('agent-urls', { imp: [impression(ordinaryNative, { service: { adcpFormats } })] })));

/** Long hosts, hosts within the bound, labels of one character, percent-encoded hosts, long paths. */
const requests = once(() =>
  blocks.flatMap((block) => [
    withFormats(formats(15, (index) => distinctCharacters(block + index, 5_400))),
    withFormats(formats(1, () => distinctCharacters(block, 1_100))),
    withFormats(formats(50, (index) => `${distinctCharacters(block + index * 50, 240)}.example`)),
    withFormats(
      formats(
        20,
        (index) =>
          `${distinctCharacters(block + index, 100)
            .split('')
            .join('.')}.example`,
      ),
    ),
    withFormats(formats(8, (index) => encodeURIComponent(distinctCharacters(block + index, 200)))),
    withFormats(formats(50, (index) => `agent-${index}.example/${'../a/'.repeat(380)}`)),
  ]),
);

export const agentUrls: Attack = {
  name: 'agent-urls',
  title: 'up to 50 format URLs of up to 5,400 distinct non-ASCII characters',
  addresses: 1,
  start(context) {
    const prepared = requests();
    sendAtAllowedRate(context, (index) => prepared[index % prepared.length]!);
  },
};
