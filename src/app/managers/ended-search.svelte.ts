/** A search on a paper wallet that a lock ended. Its secret was in memory only: the unlock form says that it must be entered again. */
class EndedSearch {
  byLock = $state(false);
}

export const endedSearch = new EndedSearch();
