/** Contents of table cells. */
import { formatDateTime, none } from '../logic/format.ts';

export const Time = ({ ms }: { ms: number }) => (
  <time dateTime={new Date(ms).toISOString()}>{formatDateTime(ms, Date.now())}</time>
);

/** A name of any length, such as the id of a publisher: the end of a long one is in the title only. */
export const Name = ({ text }: { text: string | null }) =>
  text === null ? (
    <>{none}</>
  ) : (
    <span class="clipped" title={text}>
      {text}
    </span>
  );
