/** All attacks of the siege. The position of an attack determines its addresses. */
import type { Attack } from './attack.ts';
import { abortedBodies } from './attacks/aborted-bodies.ts';
import { agentUrls } from './attacks/agent-urls.ts';
import { connectRequests } from './attacks/connect-requests.ts';
import { eventTrackers } from './attacks/event-trackers.ts';
import { gppSectionIds } from './attacks/gpp-section-ids.ts';
import { gppUsSections } from './attacks/gpp-us-sections.ts';
import { hostilePartner } from './attacks/hostile-partner.ts';
import { logLines } from './attacks/log-lines.ts';
import { nativeAssets } from './attacks/native-assets.ts';
import { oddHeads } from './attacks/odd-heads.ts';
import { oddTargets } from './attacks/odd-targets.ts';
import { partnerLimits } from './attacks/partner-limits.ts';
import { rotatingIdentities } from './attacks/rotating-identities.ts';
import { slowHeads } from './attacks/slow-heads.ts';
import { smallChunks } from './attacks/small-chunks.ts';
import { stalledBodies } from './attacks/stalled-bodies.ts';
import { unreadResponses } from './attacks/unread-responses.ts';
import { worstBodies } from './attacks/worst-bodies.ts';

export const attacks: readonly Attack[] = [
  gppSectionIds,
  agentUrls,
  unreadResponses,
  partnerLimits,
  nativeAssets,
  oddTargets,
  abortedBodies,
  connectRequests,
  stalledBodies,
  gppUsSections,
  eventTrackers,
  oddHeads,
  smallChunks,
  logLines,
  worstBodies,
  slowHeads,
  rotatingIdentities,
  hostilePartner,
];
