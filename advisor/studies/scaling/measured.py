"""The scaling study of measurements: every law fitted, those that stand averaged, what they choose.

Fits are `advisor.scaling.fits`, what they say to a user `advisor.scaling.scaling_verdict`; which
numbers can be named is in `candidates`. Measurements of growing work are answered by `weak`, those
of another parameter by `growth`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from advisor.basics.stop_rule import ShouldStop
from advisor.project.kinds import named_by_content
from advisor.scaling.data import (
    PARAMETER,
    SPEEDUP,
    THROUGHPUT,
    TIME,
    WEAK,
    Measurements,
    Part,
    expect_scaling,
    parse_measurements,
    read_measurements,
    shipped,
    shipped_names,
    text_of,
)
from advisor.scaling.extrap_choice import key_of
from advisor.scaling.extrap_file import experiment, is_extrap
from advisor.scaling.fits import ScalingFits, fit_laws
from advisor.studies.scaling.against import Rated, expect_comparable, laid_over
from advisor.studies.scaling.fit_views import choice_table, fit_series, fit_tables
from advisor.studies.scaling.growth import growth_answer, growth_of_all
from advisor.studies.scaling.law_curves import PROCESSORS
from advisor.studies.scaling.measured_found import Found, found_in
from advisor.studies.scaling.measured_words import alternative, headline, notes, reasons
from advisor.studies.scaling.parameters import ScalingParameters
from advisor.studies.scaling.processor_choice import fitted_task
from advisor.studies.scaling.weak import weak_answer
from advisor.studies.study import OnProgress, Series, StudyProgress, StudyResult
from machines import InputError
from machines.files import is_there

OUTLIER = "outlier"
NOTHING = "none"  # of several parameters: all are fitted together


def measured_answer(
    asked: ScalingParameters,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> StudyResult:
    """Fit all laws to the measurements and choose numbers of processors by those that stand.

    Returns: measured points, every fitted law with its 95 % band and the supported one first,
    residuals, laws and parameters, the choices; bands are missing when stopped.
    """
    if asked.hold.strip().lower() == NOTHING:
        return _of_all_parameters(asked)
    data, other = measured(asked), measured_against(asked)
    if other is not None:
        expect_comparable(data, other)
    scaling = asked.scaling or data.scaling
    if other is None and scaling == WEAK:
        return weak_answer(asked, data)
    if other is None and scaling == PARAMETER:
        return growth_answer(data)
    share = 1.0 if other is None else 0.5

    def answered(of: Measurements, start: float) -> Found:
        def tell(done: float, sentence: str) -> None:
            if on_progress is not None:
                on_progress(StudyProgress(start + share * done, sentence))

        def fit(kept: Measurements) -> ScalingFits:
            return fit_laws(
                kept, replicates=asked.replicates, seed=asked.seed, should_stop=should_stop,
                on_progress=tell, noise=asked.noise,
            )  # fmt: skip

        return found_in(asked, of, fit)

    found = answered(data, 0.0)
    result = _result(found)
    if other is None:
        return result
    second = answered(other, share)
    both = laid_over(Rated(data.name, found.fits, found.curve),
                     Rated(other.name, second.fits, second.curve))  # fmt: skip
    return both.added_to(result, headline(second))


def _result(found: Found) -> StudyResult:
    power = found.rival()
    return StudyResult(
        headline=headline(found),
        alternative=alternative(found),
        against="" if power is None else f"P = {power.P:,}, {power.purpose}",
        facts=found.facts,
        reasons=tuple(reasons(found)),
        series=(*fit_series(found.fits, found.drawn, found.verdict), *_outliers(found)),
        tables=(
            *fit_tables(found.fits, found.verdict),
            choice_table(found.data, found.drawn, found.asked),
        ),
        notes=tuple(notes(found)),
        answer=fitted_task(found.data, found.curve.fits, found.main[0], _rate_of_one(found)),
        complete=found.fits.complete,
    )


def _outliers(found: Found) -> Iterator[Series]:
    """What the other measurements refute, beside them."""
    data, left = found.data, found.sifted.outliers
    if not left:
        return
    P, rates = tuple(float(one.P) for one in left), tuple(one.rate for one in left)
    label = SPEEDUP if data.kind == SPEEDUP else THROUGHPUT
    yield Series(OUTLIER, P, rates, PROCESSORS, "", label, data.rate_unit, kind="points",
                 beside="fit")  # fmt: skip
    if data.kind == TIME:
        times = tuple(1.0 / one for one in rates)
        yield Series(OUTLIER, P, times, PROCESSORS, "", TIME, data.unit, kind="points")


def _rate_of_one(found: Found) -> float:
    """Throughput of one processor: measured, else by the law."""
    return found.data.rate_of_one or float(found.curve.fits[0].gamma)


def measured(asked: ScalingParameters) -> Measurements:
    """The measurements that the settings name: a text of several lines, a file, or shipped ones."""
    if not asked.data.strip():
        names = ", ".join(shipped_names())
        raise InputError(
            "there is nothing to fit", where="setting data", remedy=f"Give a CSV file, or {names}"
        )
    return _read(asked.data.strip(), asked)


def _of_all_parameters(asked: ScalingParameters) -> StudyResult:
    """How what was measured grows with all parameters of a file of Extra-P."""
    text = asked.data.strip()
    name = "pasted" if "\n" in text else Path(text).stem
    content = text if "\n" in text else text_of(text)
    if not is_extrap(content):
        raise InputError(
            "a table has no parameters to hold", where="setting hold", value=asked.hold,
            remedy="Leave it out",
        )  # fmt: skip
    found = experiment(content, name)
    return growth_of_all(found, key_of(found, asked.region.strip(), asked.metric.strip()), name)


def measured_against(asked: ScalingParameters) -> Measurements | None:
    """The second set; None where there is none: see `measured`."""
    return _read(asked.against.strip(), asked) if asked.against.strip() else None


def _read(text: str, asked: ScalingParameters) -> Measurements:
    part = Part(
        asked.region.strip(), asked.metric.strip(), asked.columns.strip(), asked.hold.strip()
    )
    if "\n" in text:
        data = parse_measurements(text, asked.quantity, part=part)
    elif text in shipped_names() or not (Path(text).suffix or is_there(text)):
        data = shipped(text)
    else:
        with named_by_content(text, "measurements by processors"):
            data = read_measurements(text, asked.quantity, part)
    expect_scaling(data)
    return data
