"""A client of PostgreSQL in a hundred lines: libpq by ctypes, so that tests need no further package.

    session = Session("host=/tmp/x user=tester dbname=postgres")
    session.rows("SELECT 1, $$a$$")      # [["1", "a"]]; an error raises Refused, with its SQLSTATE and all that the client is told
"""
import ctypes
import ctypes.util
import select

NAME = ctypes.util.find_library("pq")
if NAME:
    pq = ctypes.CDLL(NAME)
    for function in ("PQconnectdb", "PQexec", "PQgetResult", "PQgetCancel"):
        getattr(pq, function).restype = ctypes.c_void_p
    for function in ("PQerrorMessage", "PQresultErrorField", "PQgetvalue", "PQresultVerboseErrorMessage"):
        getattr(pq, function).restype = ctypes.c_char_p

TUPLES, COMMAND, COPY_OUT, EMPTY = 2, 1, 3, 0
NOTICE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p)


class Refused(Exception):
    """An error of the server: .code is its SQLSTATE, .message its first line, .all everything that the client is told."""

    def __init__(self, code, message, everything):
        super().__init__(f"{code}: {message}")
        self.code, self.message, self.all = code, message, everything


class Session:
    def __init__(self, connect):
        self.notices = []
        self.server = ctypes.c_void_p(pq.PQconnectdb(connect.encode()))
        if pq.PQstatus(self.server) != 0:
            message = pq.PQerrorMessage(self.server).decode()
            self.close()
            raise Refused("08000", message.strip(), message)
        self.listener = NOTICE(lambda _, text: self.notices.append(text.decode()))
        pq.PQsetNoticeProcessor(self.server, self.listener, None)
        self.pid = pq.PQbackendPID(self.server)

    def close(self):
        if self.server:
            pq.PQfinish(self.server)
        self.server = None

    def _take(self, result):
        result = ctypes.c_void_p(result)
        try:
            status = pq.PQresultStatus(result)
            if status in (TUPLES, COMMAND, EMPTY):
                columns = pq.PQnfields(result)
                return [[None if pq.PQgetisnull(result, r, c) else pq.PQgetvalue(result, r, c).decode() for c in range(columns)]
                        for r in range(pq.PQntuples(result))]
            if status == COPY_OUT:
                return self._copy()
            field = lambda letter: (pq.PQresultErrorField(result, ord(letter)) or b"").decode()
            everything = " ".join(field(letter) for letter in "CMDHWtcnsd")
            raise Refused(field("C"), field("M") or pq.PQerrorMessage(self.server).decode().strip(), everything)
        finally:
            pq.PQclear(result)

    def _copy(self):
        rows, line = [], ctypes.c_char_p()
        while (length := pq.PQgetCopyData(self.server, ctypes.byref(line), 0)) > 0:
            rows.append(line.value[:length].decode().rstrip("\n").split("\t"))
        while rest := pq.PQgetResult(self.server):
            self._take(rest)
        return rows

    def rows(self, sql):
        """The rows of one statement, or of the last one of several."""
        return self._take(pq.PQexec(self.server, sql.encode()))

    def one(self, sql):
        return self.rows(sql)[0][0]

    def refused(self, sql):
        """The error that the statement must be refused with."""
        try:
            rows = self.rows(sql)
        except Refused as error:
            return error
        raise AssertionError(f"not refused: {sql} gave {rows[:3]}")

    def start(self, sql):
        """Send a statement and do not wait."""
        assert pq.PQsendQuery(self.server, sql.encode()) == 1

    def wait(self, seconds):
        """Whether its answer came in time; then finish() gives it."""
        while pq.PQconsumeInput(self.server) and pq.PQisBusy(self.server):
            if not select.select([pq.PQsocket(self.server)], [], [], seconds)[0]:
                return False
        return True

    def finish(self):
        last, error = [], None
        while result := pq.PQgetResult(self.server):
            try:
                last = self._take(result)
            except Refused as refused:
                error = error or refused
        if error:
            raise error
        return last
