import type { FastifyRequest } from 'fastify';
import { ApiError, type ErrorCode } from '../../errors.ts';
import { VersionError } from '../../history/versions.ts';
import { NotHeldError, StillPinnedError } from '../../live/control.ts';
import { BusyError } from '../../live/history-reader.ts';
import { reasonOf } from '../../messages.ts';

/** What a request cannot have from the history, for its client. Any other error is a `failure`, and goes to the log. */
export function refusalOf(
  error: unknown,
  request: FastifyRequest,
  failure: ErrorCode = 'HISTORY_UNAVAILABLE',
): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof BusyError) return new ApiError('COMPARING');
  if (error instanceof VersionError) {
    const { version, problem, isDamaged } = error;
    return new ApiError(isDamaged ? 'VERSION_DAMAGED' : 'VERSION_NOT_FOUND', { version, problem });
  }
  if (error instanceof NotHeldError) {
    const { version, held } = error;
    return held === undefined ? new ApiError('NOTHING_HELD') : new ApiError('NOT_HELD', { version, held });
  }
  if (error instanceof StillPinnedError) return new ApiError('STILL_PINNED', { what: error.what });
  if (error instanceof Error && error.name === 'AbortError') return new ApiError('STOPPING');
  request.log.error({ err: error }, 'a request for the history failed');
  return new ApiError(failure, { reason: reasonOf(error) });
}
