-- The extension dpnoise, version 0.1.0. docs/postgresql.md is its manual.
\echo Use "CREATE EXTENSION dpnoise" to load this file. \quit

-- ---- Noise laws ----
-- A law is its text, 'gaussian(sigma=1)'. What is undefined is NULL.

CREATE FUNCTION dp_pdf(law text, t float8) RETURNS float8 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_pdf IS 'density, or probability, at t of a noise law';
CREATE FUNCTION dp_log_pdf(law text, t float8) RETURNS float8 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_log_pdf IS 'its logarithm of a noise law';
CREATE FUNCTION dp_cdf(law text, t float8) RETURNS float8 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_cdf IS 'P(X <= t) of a noise law';
CREATE FUNCTION dp_log_cdf(law text, t float8) RETURNS float8 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_log_cdf IS 'its logarithm of a noise law';
CREATE FUNCTION dp_sf(law text, t float8) RETURNS float8 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_sf IS 'P(X > t) of a noise law';
CREATE FUNCTION dp_log_sf(law text, t float8) RETURNS float8 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_log_sf IS 'its logarithm of a noise law';
CREATE FUNCTION dp_quantile(law text, p float8) RETURNS float8 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_quantile IS 'the least t with P(X <= t) >= p of a noise law';
CREATE FUNCTION dp_isf(law text, p float8) RETURNS float8 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_isf IS 'the least t with P(X > t) <= p of a noise law';
CREATE FUNCTION dp_log_mgf(law text, s float8) RETURNS float8 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_log_mgf IS 'log E exp(sX) of a noise law';
CREATE FUNCTION dp_variance(law text) RETURNS float8 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_variance IS 'E X^2 of a noise law';
CREATE FUNCTION dp_mean_abs(law text) RETURNS float8 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_mean_abs IS 'E|X| of a noise law';
CREATE FUNCTION dp_fisher(law text) RETURNS float8 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_fisher IS 'Fisher information of location of a noise law';
CREATE FUNCTION dp_nfi(law text) RETURNS float8 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_nfi IS 'Fisher information times variance of a noise law';
CREATE FUNCTION dp_entropy(law text) RETURNS float8 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_entropy IS 'entropy in nats of a noise law';
CREATE FUNCTION dp_loss(law text, shift float8, t float8) RETURNS float8 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_loss IS 'the privacy loss log pdf(t)/pdf(t + shift) of a noise law';

CREATE FUNCTION dp_laws() RETURNS TABLE (family text, parameters text[], formula text)
    LANGUAGE C IMMUTABLE PARALLEL SAFE ROWS 20 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_laws IS 'the families of noise laws, their parameters and what their density is proportional to';

-- Two calls are two draws; a draw is not repeated in another worker.
CREATE FUNCTION dp_sample(law text, count bigint DEFAULT 1, grid float8 DEFAULT NULL) RETURNS SETOF float8
    LANGUAGE C VOLATILE PARALLEL RESTRICTED AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_sample IS 'exact draws from a noise law, rounded to a grid';

-- ---- Guarantees ----
CREATE FUNCTION dp_profile(law text, epsilon numeric DEFAULT NULL, delta numeric DEFAULT NULL,
    sensitivity float8 DEFAULT NULL, dim integer DEFAULT NULL, sensitivities float8[] DEFAULT NULL,
    max_changed integer DEFAULT NULL, l1 float8 DEFAULT NULL, l2 float8 DEFAULT NULL,
    relation text DEFAULT 'add-remove', unit text DEFAULT 'row')
    RETURNS TABLE (epsilon_upper float8, epsilon_lower float8, delta_upper float8, delta_lower float8, log_delta float8, argument text)
    LANGUAGE C STABLE PARALLEL SAFE ROWS 1 COST 10000 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_profile IS 'the certified delta of a law at an epsilon, or the epsilon at a delta';

CREATE FUNCTION dp_calibrate(family text, epsilon numeric, delta numeric DEFAULT 0,
    sensitivity float8 DEFAULT NULL, dim integer DEFAULT NULL, sensitivities float8[] DEFAULT NULL,
    max_changed integer DEFAULT NULL, l1 float8 DEFAULT NULL, l2 float8 DEFAULT NULL,
    relation text DEFAULT 'add-remove', unit text DEFAULT 'row')
    RETURNS TABLE (mechanism text, law text, mse float8, at_epsilon float8, delta_upper float8, delta_lower float8, pure boolean, plan jsonb, note text)
    LANGUAGE C STABLE PARALLEL SAFE ROWS 1 COST 100000 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_calibrate IS 'the noise of one family with the least error for a guarantee';

CREATE FUNCTION dp_compare(epsilon numeric, delta numeric DEFAULT 0,
    sensitivity float8 DEFAULT NULL, dim integer DEFAULT NULL, sensitivities float8[] DEFAULT NULL,
    max_changed integer DEFAULT NULL, l1 float8 DEFAULT NULL, l2 float8 DEFAULT NULL,
    relation text DEFAULT 'add-remove', unit text DEFAULT 'row')
    RETURNS TABLE (mechanism text, law text, mse float8, at_epsilon float8, delta_upper float8, delta_lower float8, pure boolean, plan jsonb, note text)
    LANGUAGE C STABLE PARALLEL SAFE ROWS 20 COST 1000000 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_compare IS 'every family of noise, the least error first';

-- ---- Exact sums as aggregates, and noise on them ----
CREATE FUNCTION dp_state_serialise(internal) RETURNS bytea LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_state_deserialise(bytea, internal) RETURNS internal LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_state_combine(internal, internal) RETURNS internal LANGUAGE C IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_state_final(internal) RETURNS bytea LANGUAGE C IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_merge_step(internal, bytea) RETURNS internal LANGUAGE C IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION dp_count_step(internal) RETURNS internal LANGUAGE C IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE AGGREGATE dp_count_state(*) (SFUNC = dp_count_step, STYPE = internal, SSPACE = 8192, FINALFUNC = dp_state_final, COMBINEFUNC = dp_state_combine,
    SERIALFUNC = dp_state_serialise, DESERIALFUNC = dp_state_deserialise, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_count_state(*) IS 'exact, and as confidential as the rows: how many rows there are';
CREATE FUNCTION dp_sum_step(internal, float8, float8, float8) RETURNS internal LANGUAGE C IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE AGGREGATE dp_sum_state(x float8, lo float8, hi float8) (SFUNC = dp_sum_step, STYPE = internal, SSPACE = 8192, FINALFUNC = dp_state_final, COMBINEFUNC = dp_state_combine,
    SERIALFUNC = dp_state_serialise, DESERIALFUNC = dp_state_deserialise, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_sum_state(x float8, lo float8, hi float8) IS 'exact, and as confidential as the rows: the sum of x, clamped to lo and hi';
CREATE FUNCTION dp_moments_step(internal, float8, float8, float8) RETURNS internal LANGUAGE C IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE AGGREGATE dp_moments_state(x float8, lo float8, hi float8) (SFUNC = dp_moments_step, STYPE = internal, SSPACE = 8192, FINALFUNC = dp_state_final, COMBINEFUNC = dp_state_combine,
    SERIALFUNC = dp_state_serialise, DESERIALFUNC = dp_state_deserialise, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_moments_state(x float8, lo float8, hi float8) IS 'exact, and as confidential as the rows: number, sum and squares of x, clamped to lo and hi';
CREATE FUNCTION dp_histogram_step(internal, float8, float8[]) RETURNS internal LANGUAGE C IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE AGGREGATE dp_histogram_state(x float8, edges float8[]) (SFUNC = dp_histogram_step, STYPE = internal, SSPACE = 8192, FINALFUNC = dp_state_final, COMBINEFUNC = dp_state_combine,
    SERIALFUNC = dp_state_serialise, DESERIALFUNC = dp_state_deserialise, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_histogram_state(x float8, edges float8[]) IS 'exact, and as confidential as the rows: how many x are in each bin between the edges';
CREATE AGGREGATE dp_merge(state bytea) (SFUNC = dp_merge_step, STYPE = internal, SSPACE = 8192, FINALFUNC = dp_state_final, COMBINEFUNC = dp_state_combine,
    SERIALFUNC = dp_state_serialise, DESERIALFUNC = dp_state_deserialise, PARALLEL = SAFE);
COMMENT ON AGGREGATE dp_merge(bytea) IS 'adds states that were made with the same bounds or edges, on any servers';

-- A state of no rows is NULL, so all that is public is said again. Nothing is charged.
CREATE FUNCTION dp_noisy_count(state bytea, epsilon numeric, delta numeric DEFAULT 0)
    RETURNS TABLE (statistic text, value float8, low float8, high float8, "interval" text)
    LANGUAGE C VOLATILE PARALLEL RESTRICTED COST 100000 ROWS 1 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_noisy_count IS 'a state with noise, for add-remove of one row; nothing is charged';
CREATE FUNCTION dp_noisy_sum(state bytea, lo float8, hi float8, epsilon numeric, delta numeric DEFAULT 0)
    RETURNS TABLE (statistic text, value float8, low float8, high float8, "interval" text)
    LANGUAGE C VOLATILE PARALLEL RESTRICTED COST 100000 ROWS 1 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_noisy_sum IS 'a state with noise, for add-remove of one row; nothing is charged';
CREATE FUNCTION dp_noisy_moments(state bytea, lo float8, hi float8, epsilon numeric, delta numeric DEFAULT 0)
    RETURNS TABLE (statistic text, value float8, low float8, high float8, "interval" text)
    LANGUAGE C VOLATILE PARALLEL RESTRICTED COST 100000 ROWS 1 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_noisy_moments IS 'a state with noise, for add-remove of one row; nothing is charged';
CREATE FUNCTION dp_noisy_histogram(state bytea, edges float8[], epsilon numeric, delta numeric DEFAULT 0)
    RETURNS TABLE (statistic text, value float8, low float8, high float8, "interval" text)
    LANGUAGE C VOLATILE PARALLEL RESTRICTED COST 100000 ROWS 10 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_noisy_histogram IS 'a state with noise, for add-remove of one row; nothing is charged';

-- ---- Questions to registered tables ----
-- The functions below read as this role, which nobody is a member of: grant it SELECT on the tables that are registered.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname OPERATOR(pg_catalog.=) 'dpnoise_reader') THEN
        CREATE ROLE dpnoise_reader NOLOGIN NOSUPERUSER NOINHERIT NOCREATEDB NOCREATEROLE NOREPLICATION;
    ELSIF EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname OPERATOR(pg_catalog.=) 'dpnoise_reader'
                  AND (rolsuper OR rolcanlogin OR rolcreaterole OR rolcreatedb OR rolreplication)) THEN
        RAISE EXCEPTION 'the role dpnoise_reader is there and may do more than read: drop it, or alter it, first';
    ELSIF EXISTS (SELECT FROM pg_catalog.pg_auth_members m JOIN pg_catalog.pg_roles r ON r.oid OPERATOR(pg_catalog.=) m.roleid
                  WHERE r.rolname OPERATOR(pg_catalog.=) 'dpnoise_reader') THEN
        RAISE EXCEPTION 'the role dpnoise_reader has members, who could read what it reads: revoke it from them first';
    END IF;
END
$$;

-- What the session sets must neither lead elsewhere nor change how a value is written, and what is logged on the way is not for the client.
CREATE FUNCTION dp_release(dataset text, spec jsonb)
    RETURNS TABLE (key jsonb, statistic text, value float8, low float8, high float8, rank95 float8, "interval" text, receipt text)
    LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE SECURITY DEFINER COST 1000000 ROWS 10
    SET search_path = pg_catalog, pg_temp
    SET row_security = off
    SET client_min_messages = error
    SET extra_float_digits = 1
    SET datestyle = 'ISO, YMD'
    SET timezone = 'UTC'
    AS 'MODULE_PATHNAME';
ALTER FUNCTION dp_release(text, jsonb) OWNER TO dpnoise_reader;
REVOKE ALL ON FUNCTION dp_release(text, jsonb) FROM PUBLIC;
COMMENT ON FUNCTION dp_release IS 'private statistics of a registered table, out of its budget';

CREATE FUNCTION dp_fit(dataset text, spec jsonb)
    RETURNS TABLE (coefficient text, value float8, low float8, high float8, "interval" text, receipt text)
    LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE SECURITY DEFINER COST 1000000 ROWS 10
    SET search_path = pg_catalog, pg_temp
    SET row_security = off
    SET client_min_messages = error
    SET extra_float_digits = 1
    SET datestyle = 'ISO, YMD'
    SET timezone = 'UTC'
    AS 'MODULE_PATHNAME';
ALTER FUNCTION dp_fit(text, jsonb) OWNER TO dpnoise_reader;
REVOKE ALL ON FUNCTION dp_fit(text, jsonb) FROM PUBLIC;
COMMENT ON FUNCTION dp_fit IS 'a private linear regression of a registered table, out of its budget';
